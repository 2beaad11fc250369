// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan/CostReport.h"

#include "core/base/Numbers.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/protocol/Json.h"

#include <algorithm>

namespace headroom::cli {

using experiments::CardCost;
using experiments::FitVerdict;
using experiments::OrderedJson;

namespace {

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

} // namespace

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

} // namespace headroom::cli
