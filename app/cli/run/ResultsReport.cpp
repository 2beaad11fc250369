// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/ResultsReport.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/results/AddressEffect.h"
#include "experiments/results/KnownErrors.h"
#include "experiments/results/Shortage.h"
#include "experiments/results/TrialRecordJson.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

namespace headroom::cli {

using experiments::ResultsDocument;
using experiments::TrialResult;

namespace {

using TrialList = std::vector<TrialResult>;
template <typename T> using Of = std::function<std::optional<T>(const TrialResult&)>;

std::string yesOrNo(std::optional<bool> value)
{
    return value ? (*value ? "yes" : "no") : "";
}

// The end of a worker's log may be long: the record has all of it, a table row only a part.
std::string shortenedRemark(const std::string& text)
{
    constexpr std::size_t kMost = 120;
    if (text.size() <= kMost)
        return text;
    std::size_t end = kMost;
    while (end > 0 && (text[end] & 0xC0) == 0x80)
        --end;
    return text.substr(0, end) + "...";
}

// The memory need of a trial that ran out of memory, else the reason for its outcome.
std::string remark(const TrialResult& trial)
{
    if (const std::string shortage = experiments::shortageText(trial); !shortage.empty())
        return shortage;
    const std::string text = shortenedRemark(trial.reason);
    const std::string raised = joined(trial.flagNames());
    return raised.empty() ? text : raised + (text.empty() ? "" : "; ") + text;
}

// Collects columns of cells, and leaves out columns without a known value.
class TableBuilder {
public:
    explicit TableBuilder(const TrialList& trials)
        : m_trials(trials)
    {
    }

    void add(const std::string& title, const std::function<std::string(const TrialResult&)>& cell,
        Alignment alignment = Alignment::Left)
    {
        std::vector<std::string> cells;
        std::transform(m_trials.begin(), m_trials.end(), std::back_inserter(cells), cell);
        if (std::all_of(cells.begin(), cells.end(), [](const std::string& text) { return text.empty(); }))
            return;
        m_columns.push_back({title, alignment});
        m_cells.push_back(std::move(cells));
    }

    void addBytes(const std::string& title, const Of<Bytes>& bytesOf)
    {
        std::vector<std::optional<Bytes>> amounts;
        for (const TrialResult& trial : m_trials)
            amounts.push_back(bytesOf(trial));
        const SizeUnit unit = columnUnitFor(amounts);
        add(
            fmt::format("{} ({})", title, unit.name),
            [&](const TrialResult& trial) { return inUnit(bytesOf(trial), unit); }, Alignment::Right);
    }

    // Shows three digits, as sentences and the desktop program do.
    void addRounded(const std::string& title, const Of<Bytes>& bytesOf)
    {
        Bytes largest = 0;
        for (const TrialResult& trial : m_trials)
            largest = std::max(largest, bytesOf(trial).value_or(0));
        const SizeUnit unit = sizeUnitOf(largest);
        const auto cell = [&](const TrialResult& trial) {
            const auto bytes = bytesOf(trial);
            return bytes ? sizeIn(*bytes, unit) : std::string();
        };
        add(fmt::format("{} ({})", title, unit.name), cell, Alignment::Right);
    }

    // Shows four significant digits of the smallest value; the whole column has the same number of decimals.
    void addNumbers(const std::string& title, const Of<double>& numberOf, double factor)
    {
        std::vector<std::optional<double>> values;
        for (const TrialResult& trial : m_trials)
            if (const auto value = numberOf(trial))
                values.emplace_back(*value * factor);
        const int decimals = decimalsFor(values);
        const auto cell = [&](const TrialResult& trial) {
            const auto value = numberOf(trial);
            return value ? fixed(*value * factor, decimals) : std::string();
        };
        add(title, cell, Alignment::Right);
    }

    Table table() const
    {
        Table table(m_columns);
        for (std::size_t row = 0; row < m_trials.size(); ++row) {
            std::vector<std::string> cells;
            for (const auto& column : m_cells)
                cells.push_back(column[row]);
            table.addRow(std::move(cells));
        }
        return table;
    }

private:
    const TrialList& m_trials;
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_cells;
};

// The label without the device, which has its own column.
std::string shortLabel(const TrialResult& trial)
{
    std::string kept;
    std::string rest = trial.label;
    while (!rest.empty()) {
        const auto bar = rest.find(" | ");
        const std::string part = rest.substr(0, bar);
        rest = bar == std::string::npos ? "" : rest.substr(bar + 3);
        if (part != trial.deviceNotation() && part != trial.device && part != trial.runtime)
            kept += (kept.empty() ? "" : " | ") + part;
    }
    return kept;
}

bool hasHarness(const TrialList& trials)
{
    return std::ranges::any_of(
        trials, [](const TrialResult& trial) { return trial.memory.harnessBytes().value_or(0) > 0; });
}

Table resultsTable(const TrialList& trials)
{
    TableBuilder builder(trials);
    builder.add("trial", &TrialResult::shortId);
    builder.add("label", shortLabel);
    builder.add("device", &TrialResult::deviceNotation);
    builder.add("kind", &TrialResult::kind);
    builder.add("outcome", [](const TrialResult& trial) { return inWords(toText(trial.outcome)); });
    builder.addBytes("peak allocated", [](const TrialResult& trial) { return trial.memory.peak.allocated; });
    builder.addBytes("peak reserved", [](const TrialResult& trial) { return trial.memory.peak.reserved; });
    if (hasHarness(trials))
        builder.addBytes("harness in it", [](const TrialResult& trial) { return trial.memory.harnessBytes(); });
    builder.addRounded("needs", [](const TrialResult& trial) { return trial.memory.need.needed; });
    builder.add("fits", [](const TrialResult& trial) { return yesOrNo(trial.memory.fits); });
    builder.addNumbers(
        speedUnitName(SpeedUnit::Steps), [](const TrialResult& trial) { return trial.speed.stepsPerSecond; }, 1);
    builder.addNumbers("step (ms)", [](const TrialResult& trial) { return trial.speed.stepSeconds; }, 1e3);
    builder.addNumbers(
        "max output difference (1e-6)",
        [](const TrialResult& trial) { return trial.numerics ? trial.numerics->outputMaxAbs : std::nullopt; }, 1e6);
    builder.add("remark", remark);
    return builder.table();
}

std::string afterBlank(const std::string& sentence)
{
    return sentence.empty() ? sentence : " " + sentence;
}

std::string footnote(const TrialList& trials)
{
    const auto has = [&](config::Provenance provenance) {
        return std::ranges::any_of(trials, [&](const TrialResult& trial) { return trial.provenance() == provenance; });
    };
    const std::string rehearsed = has(config::Provenance::Rehearsed)
        ? "Rows marked \"rehearsed\" ran LibTorch's CUDA code on a card that is not there: memory of its own "
          "allocator, "
          "speed of a model, no values."
        : "";
    if (!has(config::Provenance::Predicted))
        return rehearsed;
    const std::string addresses = experiments::addressesSentenceOf(trials);
    return "Rows marked \"predicted\" were simulated, not measured: memory from the allocator simulator, speed from "
           "the cost model."
        + afterBlank(rehearsed) + afterBlank(addresses) + afterBlank(experiments::knownErrorsTextOf(trials));
}

} // namespace

Report resultsReport(const ResultsDocument& results, const std::string& task)
{
    Report report;
    report.sections.push_back({results.experiment, task, resultsTable(results.trials), footnote(results.trials)});
    report.writeDocument = [&results](std::ostream& out) {
        experiments::writeDocument(results, [&out](std::string_view piece) { out << piece; });
    };
    report.eachRecord = [&results](const auto& visit) {
        for (const TrialResult& trial : results.trials)
            visit(experiments::toJson(trial));
    };
    return report;
}

} // namespace headroom::cli
