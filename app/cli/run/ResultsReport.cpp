// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/ResultsReport.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/results/AddressEffect.h"
#include "experiments/results/Shortage.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace headroom::cli {

using experiments::OrderedJson;
using experiments::ResultsDocument;

namespace {

using RecordList = std::vector<OrderedJson>;

const OrderedJson& at(const OrderedJson& record, const char* pointer)
{
    static const OrderedJson kNull = nullptr;
    const OrderedJson::json_pointer path(pointer);
    return record.contains(path) ? record.at(path) : kNull;
}

std::optional<Bytes> bytesAt(const OrderedJson& record, const char* pointer)
{
    const OrderedJson& value = at(record, pointer);
    return value.is_number() ? std::optional(value.get<Bytes>()) : std::nullopt;
}

std::optional<double> numberAt(const OrderedJson& record, const char* pointer)
{
    const OrderedJson& value = at(record, pointer);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::string textAt(const OrderedJson& record, const char* pointer)
{
    const OrderedJson& value = at(record, pointer);
    return value.is_string() ? value.get<std::string>() : "";
}

std::string yesOrNo(const OrderedJson& value)
{
    return value.is_boolean() ? (value.get<bool>() ? "yes" : "no") : "";
}

std::string outcome(const OrderedJson& record)
{
    return inWords(textAt(record, "/outcome"));
}

std::string flags(const OrderedJson& record)
{
    std::string text;
    for (const OrderedJson& flag : at(record, "/flags"))
        text += (text.empty() ? "" : ", ") + flag.get<std::string>();
    return text;
}

// The end of a worker's log may be long: the record has all of it, a table row does not.
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

// What a trial that ran out of memory needs, else the reason of its outcome.
std::string remark(const OrderedJson& record)
{
    if (const std::string shortage = experiments::shortageText(record); !shortage.empty())
        return shortage;
    const std::string text = shortenedRemark(textAt(record, "/reason"));
    const std::string raised = flags(record);
    return raised.empty() ? text : raised + (text.empty() ? "" : "; ") + text;
}

// Collects columns of cells; those without a single known value are left out.
class TableBuilder {
public:
    explicit TableBuilder(const RecordList& records)
        : m_records(records)
    {
    }

    void add(const std::string& title, const std::function<std::string(const OrderedJson&)>& cell,
        Alignment alignment = Alignment::Left)
    {
        std::vector<std::string> cells;
        std::transform(m_records.begin(), m_records.end(), std::back_inserter(cells), cell);
        if (std::all_of(cells.begin(), cells.end(), [](const std::string& text) { return text.empty(); }))
            return;
        m_columns.push_back({title, alignment});
        m_cells.push_back(std::move(cells));
    }

    void addBytes(const std::string& title, const char* pointer)
    {
        std::vector<std::optional<Bytes>> amounts;
        for (const OrderedJson& record : m_records)
            amounts.push_back(bytesAt(record, pointer));
        const SizeUnit unit = columnUnitFor(amounts);
        add(
            fmt::format("{} ({})", title, unit.name),
            [&](const OrderedJson& record) { return inUnit(bytesAt(record, pointer), unit); }, Alignment::Right);
    }

    // In three digits, as in sentences and on the screen.
    void addRounded(const std::string& title, const char* pointer)
    {
        Bytes largest = 0;
        for (const OrderedJson& record : m_records)
            largest = std::max(largest, bytesAt(record, pointer).value_or(0));
        const SizeUnit unit = sizeUnitOf(largest);
        const auto cell = [&](const OrderedJson& record) {
            const auto bytes = bytesAt(record, pointer);
            return bytes ? sizeIn(*bytes, unit) : std::string();
        };
        add(fmt::format("{} ({})", title, unit.name), cell, Alignment::Right);
    }

    // Four significant digits of the smallest value, the same number of decimals in the whole column.
    void addNumbers(const std::string& title, const char* pointer, double factor)
    {
        std::vector<std::optional<double>> values;
        for (const OrderedJson& record : m_records)
            if (const auto value = numberAt(record, pointer))
                values.emplace_back(*value * factor);
        const int decimals = decimalsFor(values);
        const auto cell = [&](const OrderedJson& record) {
            const auto value = numberAt(record, pointer);
            return value ? fixed(*value * factor, decimals) : std::string();
        };
        add(title, cell, Alignment::Right);
    }

    Table table() const
    {
        Table table(m_columns);
        for (std::size_t row = 0; row < m_records.size(); ++row) {
            std::vector<std::string> cells;
            for (const auto& column : m_cells)
                cells.push_back(column[row]);
            table.addRow(std::move(cells));
        }
        return table;
    }

private:
    const RecordList& m_records;
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_cells;
};

bool isPredicted(const OrderedJson& record)
{
    return at(record, "/predicted") == true;
}

std::string device(const OrderedJson& record)
{
    const std::string runtime = textAt(record, "/runtime");
    return textAt(record, "/device") + (runtime.empty() ? "" : "@" + runtime);
}

// Without what the column of devices says already.
std::string shortLabel(const OrderedJson& record)
{
    std::string kept;
    std::string rest = textAt(record, "/label");
    while (!rest.empty()) {
        const auto bar = rest.find(" | ");
        const std::string part = rest.substr(0, bar);
        rest = bar == std::string::npos ? "" : rest.substr(bar + 3);
        if (part != device(record) && part != textAt(record, "/device") && part != textAt(record, "/runtime"))
            kept += (kept.empty() ? "" : " | ") + part;
    }
    return kept;
}

bool hasHarness(const RecordList& records)
{
    return std::any_of(records.begin(), records.end(),
        [](const OrderedJson& record) { return bytesAt(record, "/memory/harness_bytes").value_or(0) > 0; });
}

Table resultsTable(const RecordList& records)
{
    TableBuilder builder(records);
    builder.add("trial", [](const OrderedJson& record) { return textAt(record, "/trial_id").substr(0, 8); });
    builder.add("label", shortLabel);
    builder.add("device", device);
    builder.add("kind", [](const OrderedJson& record) { return isPredicted(record) ? "predicted" : "measured"; });
    builder.add("outcome", outcome);
    builder.addBytes("peak allocated", "/memory/peak/allocated_bytes");
    builder.addBytes("peak reserved", "/memory/peak/reserved_bytes");
    if (hasHarness(records))
        builder.addBytes("harness in it", "/memory/harness_bytes");
    builder.addRounded("needs", "/memory/needed_bytes");
    builder.add("fits", [](const OrderedJson& record) { return yesOrNo(at(record, "/memory/fits")); });
    builder.addNumbers(speedUnitName(SpeedUnit::Steps), "/speed/steps_per_second", 1);
    builder.addNumbers("step (ms)", "/speed/step_seconds_median", 1e3);
    builder.addNumbers("max output difference (1e-6)", "/numerics/output_max_abs", 1e6);
    builder.add("remark", remark);
    return builder.table();
}

std::string footnote(const RecordList& records)
{
    if (std::none_of(records.begin(), records.end(), isPredicted))
        return {};
    const std::string addresses = experiments::addressesSentenceOf(records);
    return "Rows marked \"predicted\" were simulated, not measured: memory from the allocator simulator, speed from "
           "the cost model."
        + (addresses.empty() ? addresses : " " + addresses);
}

} // namespace

Report resultsReport(const ResultsDocument& results, const std::string& task)
{
    Report report;
    report.sections.push_back({results.experiment, task, resultsTable(results.trials), footnote(results.trials)});
    report.document = experiments::toJson(results);
    for (const OrderedJson& trial : results.trials)
        report.records.push_back(trial);
    return report;
}

} // namespace headroom::cli
