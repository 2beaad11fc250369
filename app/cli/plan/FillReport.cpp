// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan/FillReport.h"

#include "app/cli/plan/TrainerOffers.h"
#include "core/base/Numbers.h"
#include "core/base/Quantities.h"
#include "core/base/ShellWords.h"
#include "core/base/Wording.h"
#include "core/protocol/Json.h"
#include "experiments/results/Shortage.h"
#include "experiments/results/TrialRecordJson.h"
#include "experiments/spec/RunWords.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using experiments::FilledTrial;
using experiments::OrderedJson;

namespace {

using RowEnd = FilledTrial::End;

constexpr int kNothingFilled = 1;
constexpr int kFillFailed = 3;
constexpr int kFillInterrupted = 130;
constexpr const char* kBatchAxis = "batch";

std::string endWord(RowEnd end)
{
    switch (end) {
    case RowEnd::Found:
        return "found";
    case RowEnd::NothingFits:
        return "nothing_fits";
    case RowEnd::LargestFits:
        return "largest_fits";
    case RowEnd::Unaffected:
        return "unaffected";
    case RowEnd::CannotWork:
        return "cannot_work";
    case RowEnd::Cancelled:
        return "cancelled";
    case RowEnd::Failed:
        break;
    }
    return "failed";
}

// With more in each sample, samples per second say little.
SpeedUnit unitFor(const std::string& axis)
{
    return axis == kBatchAxis || axis == "accumulate" ? SpeedUnit::Samples : SpeedUnit::Tokens;
}

std::optional<double> speedOf(const FillRow& row, SpeedUnit unit)
{
    if (!row.hasValue())
        return std::nullopt;
    const auto& samples = row.result.speed.samplesPerSecond;
    return unit == SpeedUnit::Samples && samples ? samples : row.result.speed.tokensPerSecond;
}

// Speeds are compared where model, device and memory are the same.
bool isComparable(const FillRow& one, const FillRow& other)
{
    return one.filled.trial.configuration.model == other.filled.trial.configuration.model
        && one.filled.trial.device == other.filled.trial.device
        && one.filled.trial.memoryLimitBytes == other.filled.trial.memoryLimitBytes;
}

// The fastest of those that may be compared with the row; null where none has a speed.
const FillRow* fastestBeside(const FillRow& row, const FillOutcome& outcome)
{
    const SpeedUnit unit = unitFor(outcome.plan.axis);
    const FillRow* fastest = nullptr;
    for (const FillRow& other : outcome.rows)
        if (isComparable(row, other) && speedOf(other, unit)
            && (fastest == nullptr || *speedOf(other, unit) > *speedOf(*fastest, unit)))
            fastest = &other;
    return fastest;
}

std::optional<double> relativeSpeed(const FillRow& row, const FillOutcome& outcome)
{
    const SpeedUnit unit = unitFor(outcome.plan.axis);
    const FillRow* fastest = fastestBeside(row, outcome);
    const auto own = speedOf(row, unit);
    return own && fastest != nullptr ? std::optional(*own / *speedOf(*fastest, unit)) : std::nullopt;
}

std::string fillCommandOf(const FillRow& row)
{
    return experiments::shellCommand(experiments::runWords(row.filled.trial));
}

std::string remarkOn(const FillRow& row, const std::string& axis)
{
    const std::string looked = axis + " " + std::to_string(row.filled.value.value_or(row.filled.next.value_or(0)));
    switch (row.filled.end) {
    case RowEnd::NothingFits:
        return "nothing fits: " + looked + " " + experiments::shortageText(row.result);
    case RowEnd::LargestFits:
        return "the largest there is";
    case RowEnd::Unaffected:
        return "needs no more memory with more of it, as far as " + looked;
    case RowEnd::CannotWork:
        return "cannot work: " + row.filled.reason;
    case RowEnd::Failed:
        return "the prediction failed: " + row.filled.reason;
    case RowEnd::Cancelled:
        return "cancelled";
    case RowEnd::Found:
        break;
    }
    if (row.verdict.cacheFlushes == 0)
        return {};
    return "only by emptying the allocator's cache " + counted(row.verdict.cacheFlushes, "time")
        + " in its first steps, which takes time that is not counted";
}

OrderedJson rowJson(const FillRow& row, const FillOutcome& outcome)
{
    const FilledTrial& filled = row.filled;
    OrderedJson json;
    json["techniques"] = row.label;
    json["device"] = filled.trial.device.notation();
    json["value"] = protocol::orNull(filled.value);
    json["next_value"] = protocol::orNull(filled.next);
    json["next_value_fails"] = filled.next.has_value();
    json["end"] = endWord(filled.end);
    json["reason"] = filled.reason.empty() ? OrderedJson(nullptr) : OrderedJson(filled.reason);
    json["simulations"] = filled.simulations;
    json["usable_bytes"] = row.verdict.usableBytes > 0 ? OrderedJson(row.verdict.usableBytes) : OrderedJson(nullptr);
    json["needed_bytes"] = protocol::orNull(row.verdict.neededBytes());
    json["unfilled_bytes"] = protocol::orNull(row.unfilledBytes());
    json["samples_per_second"] = protocol::orNull(speedOf(row, SpeedUnit::Samples));
    json["tokens_per_second"] = protocol::orNull(speedOf(row, SpeedUnit::Tokens));
    json["relative_speed"] = protocol::orNull(relativeSpeed(row, outcome));
    json["command"] = row.hasValue() ? OrderedJson(fillCommandOf(row)) : OrderedJson(nullptr);
    json["trial"] = experiments::toJson(row.result);
    return json;
}

/// Cells of numbers with as many decimals as the smallest of their column needs.
class NumberCells {
public:
    NumberCells(const FillOutcome& outcome, SpeedUnit unit)
        : m_unit(unit)
    {
        std::vector<std::optional<double>> values;
        for (const FillRow& row : outcome.rows)
            if (const auto speed = speedOf(row, unit))
                values.emplace_back(*speed);
        m_decimals = decimalsFor(values);
    }

    std::string of(const FillRow& row) const
    {
        const auto speed = speedOf(row, m_unit);
        return speed ? inColumn(*speed, m_decimals) : std::string();
    }

private:
    SpeedUnit m_unit;
    int m_decimals = 0;
};

std::string numberCell(const std::optional<std::int64_t>& value)
{
    return value ? grouped(*value) : std::string();
}

std::string sizeCell(const std::optional<Bytes>& bytes)
{
    return bytes ? sizeText(*bytes) : std::string();
}

Table fillTable(const FillOutcome& outcome)
{
    const std::string& axis = outcome.plan.axis;
    Table table({{"techniques"}, {axis + " that fits", Alignment::Right}, {"next fails", Alignment::Right},
        {"needs", Alignment::Right}, {"unfilled", Alignment::Right},
        {speedUnitName(SpeedUnit::Samples), Alignment::Right}, {speedUnitName(SpeedUnit::Tokens), Alignment::Right},
        {"of the fastest", Alignment::Right}, {"remark"}});
    const NumberCells samples(outcome, SpeedUnit::Samples);
    const NumberCells tokens(outcome, SpeedUnit::Tokens);
    for (const FillRow& row : outcome.rows) {
        const auto relative = relativeSpeed(row, outcome);
        table.addRow({row.label, numberCell(row.filled.value), numberCell(row.filled.next),
            sizeCell(row.verdict.neededBytes()), sizeCell(row.unfilledBytes()), samples.of(row), tokens.of(row),
            relative ? percentText(*relative) : "", remarkOn(row, axis)});
    }
    return table;
}

// Where samples grow, the one that goes furthest is asked for as much as the fastest.
std::string furthestSentence(const FillOutcome& outcome)
{
    const auto furthest =
        std::ranges::max_element(outcome.rows, {}, [](const FillRow& row) { return row.filled.value.value_or(0); });
    if (unitFor(outcome.plan.axis) == SpeedUnit::Samples || outcome.rows.size() < 2 || !furthest->hasValue())
        return {};
    return fmt::format(
        "Largest {}: {} with {}. ", outcome.plan.axis, grouped(*furthest->filled.value), furthest->label);
}

// "checkpointing all with batch 12: 3.21 samples/s"
std::string fastestSentence(const FillRow& fastest, const FillOutcome& outcome)
{
    const SpeedUnit unit = unitFor(outcome.plan.axis);
    return fmt::format("Fastest at equal memory: {} with {} {}, {}, {} unfilled.", fastest.label, outcome.plan.axis,
        grouped(*fastest.filled.value), speedText(*speedOf(fastest, unit), unit),
        sizeText(fastest.unfilledBytes().value_or(0)));
}

// One for each group that is compared.
std::vector<const FillRow*> fastestRows(const FillOutcome& outcome)
{
    std::vector<const FillRow*> fastest;
    for (const FillRow& row : outcome.rows)
        if (const FillRow* found = fastestBeside(row, outcome);
            found != nullptr && std::ranges::find(fastest, found) == fastest.end())
            fastest.push_back(found);
    return fastest;
}

std::size_t simulationsOf(const FillOutcome& outcome)
{
    std::size_t simulations = 0;
    for (const FillRow& row : outcome.rows)
        simulations += row.filled.simulations;
    return simulations;
}

std::string extentSentence(const FillOutcome& outcome)
{
    const std::string extent = counted(std::int64_t(simulationsOf(outcome)), "simulation");
    if (outcome.wasStopped)
        return "Cancelled after " + extent + ": values are the largest known to fit until then.";
    return fmt::format(
        "Predicted in {}, nothing was run. A value is one that fits, where the next one was simulated as "
        "well and does not.",
        extent);
}

std::string memorySentence(const FillOutcome& outcome)
{
    if (!outcome.plan.memoryBytes)
        return {};
    return ", within " + sizeText(*outcome.plan.memoryBytes) + " of device memory";
}

} // namespace

std::optional<Bytes> FillRow::unfilledBytes() const
{
    return hasValue() ? verdict.freeBytes() : std::nullopt;
}

std::string FillOutcome::end() const
{
    const auto ended = [&](RowEnd end) {
        return std::ranges::any_of(rows, [end](const FillRow& row) { return row.filled.end == end; });
    };
    if (wasStopped || ended(RowEnd::Cancelled))
        return "cancelled";
    if (ended(RowEnd::Failed))
        return "failed";
    return std::ranges::any_of(rows, &FillRow::hasValue) ? "found" : "nothing_fits";
}

int FillOutcome::exitCode() const
{
    const std::string ended = end();
    if (ended == "cancelled")
        return kFillInterrupted;
    if (ended == "failed")
        return kFillFailed;
    return ended == "nothing_fits" ? kNothingFilled : 0;
}

std::string fillSentences(const FillOutcome& outcome)
{
    std::string text = furthestSentence(outcome);
    for (const FillRow* row : fastestRows(outcome))
        text += fastestSentence(*row, outcome) + " ";
    if (outcome.end() == "nothing_fits")
        text += "Nothing fits. ";
    if (const std::string offers = offersText(outcome.plan.trainer, outcome.plan.notOffered); !offers.empty())
        text += offers + " ";
    return text + extentSentence(outcome);
}

Report fillReport(const FillOutcome& outcome)
{
    Report report;
    report.document = {{"schema", "headroom.fill/1"}, {"experiment", outcome.plan.experiment},
        {"axis", outcome.plan.axis}, {"memory_bytes", protocol::orNull(outcome.plan.memoryBytes)},
        {"end", outcome.end()},
        {"for", outcome.plan.trainer.empty() ? OrderedJson(nullptr) : OrderedJson(outcome.plan.trainer)},
        {"not_offered", outcome.plan.notOffered}, {"simulations", simulationsOf(outcome)},
        {"rows", OrderedJson::array()}};
    for (const FillRow& row : outcome.rows)
        report.document["rows"].push_back(rowJson(row, outcome));
    report.records = report.document["rows"];
    std::string after = fillSentences(outcome);
    std::string lines;
    for (const FillRow* row : fastestRows(outcome))
        lines += "\n    " + fillCommandOf(*row);
    if (!lines.empty())
        after += " The line that runs the fastest:\n" + lines;
    report.sections.push_back(
        {outcome.plan.experiment, outcome.plan.task + memorySentence(outcome), fillTable(outcome), after});
    return report;
}

} // namespace headroom::cli
