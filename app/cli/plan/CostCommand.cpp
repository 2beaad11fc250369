// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/SignalWatcher.h"
#include "app/cli/plan/CostReport.h"
#include "app/cli/run/RunPlan.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "experiments/cost/CostSearch.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <set>

namespace headroom::cli {

using experiments::CardCost;
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
