// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/Report.h"
#include "app/cli/output/SignalWatcher.h"
#include "app/cli/run/RunPlan.h"
#include "core/base/Error.h"
#include "core/base/Numbers.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "core/protocol/Json.h"
#include "experiments/cost/CostSearch.h"
#include "experiments/cost/RunCost.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace headroom::cli {
namespace {

/// What `headroom cost` found.
struct CostOutcome {
    std::string experiment; ///< name
    std::string label; ///< of the trial, without its device
    std::string task; ///< what it does, in one line
    std::int64_t steps = 0;
    experiments::PriceList prices;
    std::vector<experiments::CardCost> cards; ///< in the order of sortByCost
    bool wasStopped = false;

    /// 0 it runs on a card, 1 on none, 3 nothing could be predicted, 130 interrupted.
    int exitCode() const;
};

using experiments::CardCost;
using experiments::FitVerdict;
using experiments::OrderedJson;

constexpr int kRunsNowhere = 1;
constexpr int kNothingPredicted = 3;
constexpr int kCostInterrupted = 130;

std::string fitWord(const CardCost& card)
{
    switch (card.verdict.kind) {
    case FitVerdict::Kind::Fits:
        return "yes";
    case FitVerdict::Kind::Tight:
        return "tight";
    case FitVerdict::Kind::DoesNotFit:
        return "no";
    case FitVerdict::Kind::Unknown:
        break;
    }
    return "not known";
}

std::string costSizeCell(const std::optional<Bytes>& bytes)
{
    return bytes ? sizeText(*bytes) : kUnknownCell;
}

std::string hoursText(const std::optional<double>& hours)
{
    return hours ? significant(*hours) : kUnknownCell;
}

std::string moneyText(const std::optional<double>& money)
{
    return money ? fixed(*money, 2) : kUnknownCell;
}

std::string costErrorText(const CardCost& card)
{
    return card.stepError ? "±" + percentText(*card.stepError) : "not measured";
}

Table cardTable(const CostOutcome& outcome)
{
    const std::string currency = outcome.prices.currency;
    Table table({{"device"}, {"fits"}, {"needs", Alignment::Right}, {"free", Alignment::Right},
        {"s/step", Alignment::Right}, {"known error"}, {"hours", Alignment::Right}});
    const bool hasPrices = !outcome.prices.prices.empty();
    if (hasPrices)
        table = Table({{"device"}, {"fits"}, {"needs", Alignment::Right}, {"free", Alignment::Right},
            {"s/step", Alignment::Right}, {"known error"}, {"hours", Alignment::Right},
            {currency + "/hour", Alignment::Right}, {currency, Alignment::Right}, {"price of"}});
    for (const CardCost& card : outcome.cards) {
        std::vector<std::string> cells{card.device, fitWord(card), costSizeCell(card.verdict.neededBytes()),
            costSizeCell(card.verdict.freeBytes()),
            card.runs() && card.stepSeconds ? significant(*card.stepSeconds) : kUnknownCell,
            card.runs() && card.stepSeconds ? costErrorText(card) : kUnknownCell, hoursText(card.hours(outcome.steps))};
        if (hasPrices) {
            cells.push_back(card.price ? fixed(card.price->perHour, 2) : kUnknownCell);
            cells.push_back(moneyText(card.cost(outcome.steps)));
            cells.push_back(card.price ? card.price->source + ", " + card.price->date : kUnknownCell);
        }
        table.addRow(cells);
    }
    return table;
}

std::string afterCards(const CostOutcome& outcome)
{
    std::string text;
    for (const CardCost& card : outcome.cards)
        if (!card.reason.empty())
            text += card.device + ": " + card.reason + "\n";
    text += "Step times are predictions of the cost model, and hours are steps times that: loading, validation, "
            "checkpoints and waiting for data come on top. Known error: by how much predicted step times were off in "
            "validations "
            "stored for the device; \"not measured\" where there is none.";
    if (outcome.prices.prices.empty())
        text += "\nNo prices: write yours into a copy of " + outcome.prices.file
            + " at ~/.config/headroom/prices.toml, or name a file with --prices.";
    return text;
}

OrderedJson priceJson(const std::optional<experiments::CardPrice>& price)
{
    if (!price)
        return nullptr;
    return {{"per_hour", price->perHour}, {"source", price->source}, {"date", price->date}};
}

OrderedJson cardJson(const CardCost& card, std::int64_t steps)
{
    static const std::vector<std::string> fits{"fits", "tight", "does_not_fit", "unknown"};
    OrderedJson json{{"device", card.device}, {"verdict", fits.at(static_cast<std::size_t>(card.verdict.kind))}};
    json["needed_bytes"] = protocol::orNull(card.verdict.neededBytes());
    json["free_bytes"] = protocol::orNull(card.verdict.freeBytes());
    json["step_seconds"] = protocol::orNull(card.stepSeconds);
    json["error_bound_step_rel"] = protocol::orNull(card.stepError);
    json["hours"] = protocol::orNull(card.hours(steps));
    json["price"] = priceJson(card.price);
    json["cost"] = protocol::orNull(card.cost(steps));
    json["reason"] = card.reason.empty() ? OrderedJson(nullptr) : OrderedJson(card.reason);
    return json;
}

std::string costTitle(const CostOutcome& outcome)
{
    return counted(outcome.steps, "step") + " of " + outcome.label + (outcome.task.empty() ? "" : ": " + outcome.task);
}

int CostOutcome::exitCode() const
{
    if (wasStopped)
        return kCostInterrupted;
    if (std::ranges::any_of(cards, &CardCost::runs))
        return 0;
    const bool isPredicted = std::ranges::any_of(
        cards, [](const CardCost& card) { return card.verdict.kind == FitVerdict::Kind::DoesNotFit; });
    return isPredicted ? kRunsNowhere : kNothingPredicted;
}

/// A table of the cards and the document `headroom.cost/1`, whose `cards` are the records.
Report costReport(const CostOutcome& outcome)
{
    Report report;
    for (const CardCost& card : outcome.cards)
        report.records.push_back(cardJson(card, outcome.steps));
    const OrderedJson currency =
        outcome.prices.currency.empty() ? OrderedJson(nullptr) : OrderedJson(outcome.prices.currency);
    report.document = {{"schema", "headroom.cost/1"}, {"experiment", outcome.experiment}, {"label", outcome.label},
        {"steps", outcome.steps}, {"currency", currency}, {"prices_file", outcome.prices.file},
        {"cards", report.records}};
    report.sections.push_back({outcome.experiment, costTitle(outcome), cardTable(outcome), afterCards(outcome)});
    return report;
}

} // namespace

using experiments::PlannedTrial;

namespace {

constexpr const char* kCostExamples =
    R"(Takes the arguments of headroom run, for one combination, and predicts it on every simulated card, or on those that --device
names. A step is one of the trial: with accumulation, one update.

Prices are yours: ~/.config/headroom/prices.toml, or --prices FILE (docs/cost.md). Without any the answer is in hours.

Examples:
  headroom cost --model ltx-video-2b --trainable lora:32 --optimizer adamw --checkpointing all --steps 5000
  headroom cost ./train.toml --steps 20000 --device sim:a100-80gb,sim:h100-80gb --prices team.toml

Exit codes: 0 it runs on a card, 1 it fits none of them, 2 bad usage, spec or prices, 3 nothing could be predicted,
5 a file cannot be read, 130 interrupted.)";

struct CostArguments {
    RunArguments run;
    std::int64_t steps = 0;
    std::string prices;
};

// The trials of one combination, one for each card.
std::vector<PlannedTrial> trialsByCard(const RunPlan& plan)
{
    std::vector<PlannedTrial> trials = plan.trials;
    std::erase_if(trials, [](const PlannedTrial& planned) { return !planned.isRunnable(); });
    if (trials.empty())
        throw UsageError(
            "the trial cannot work: " + plan.trials.front().skipReason(), "the spec", "settings that work together");
    std::set<std::string> combinations;
    for (const PlannedTrial& planned : trials) {
        combinations.insert(planned.configId);
        if (!planned.trial.device.isSimulated())
            throw UsageError("found " + planned.trial.device.notation(), "--device", "simulated cards: sim:NAME");
    }
    if (combinations.size() > 1)
        throw UsageError("found " + counted(std::ssize(combinations), "combination"), "the spec",
            "one value of everything but the device, or --filter PATH=VALUE");
    return trials;
}

void predictCosts(const std::vector<PlannedTrial>& trials, CostOutcome& outcome, const std::stop_token& stop)
{
    Console console;
    experiments::CostSearch search(outcome.prices);
    for (std::size_t i = 0; i < trials.size() && !stop.stop_requested(); ++i) {
        console.status(fmt::format("predicting {} of {} cards", i + 1, trials.size()));
        for (CardCost& card : search.costsOf(trials[i].trial, stop))
            outcome.cards.push_back(std::move(card));
    }
    console.clearStatus();
    outcome.wasStopped = stop.stop_requested();
    experiments::sortByCost(outcome.cards, outcome.steps);
}

int carryOutCost(CostArguments arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.run.format);
    const simulator::ProfileCatalogue profiles(config::resourceDirectory());
    const std::vector<std::string> cards = experiments::cardsWithMemory(profiles);
    if (arguments.run.devices.empty())
        for (const std::string& name : cards)
            arguments.run.devices.push_back("sim:" + name);
    const RunPlan plan = planOf(arguments.run);
    const std::vector<PlannedTrial> trials = trialsByCard(plan);
    const auto file = arguments.prices.empty() ? experiments::pricesFile(config::resourceDirectory())
                                               : std::filesystem::path(arguments.prices);
    CostOutcome outcome{plan.spec.name, config::techniqueLabel(trials.front().trial.configuration), plan.task,
        arguments.steps, experiments::readPrices(file, cards), {}, false};
    std::stop_source stop;
    SignalWatcher signals([&stop] { stop.request_stop(); });
    predictCosts(trials, outcome, stop.get_token());
    print(costReport(outcome), format, std::cout);
    return outcome.exitCode();
}

} // namespace

void addCostCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command =
        app.add_subcommand("cost", "Predict what a number of steps costs on every card, in hours and at your prices");
    const auto arguments = std::make_shared<CostArguments>();
    addSweepOptions(*command, arguments->run);
    command->remove_option(command->get_option("--shard"));
    command->add_option("--steps", arguments->steps, "how many steps the run has")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000'000}))
        ->required();
    command->add_option("--prices", arguments->prices, "prices of cards (else ~/.config/headroom/prices.toml)")
        ->type_name("FILE.toml")
        ->check(notEmpty);
    addFormatOption(*command, arguments->run.format);
    command->footer(kCostExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return carryOutCost(*arguments); }; });
}

} // namespace headroom::cli
