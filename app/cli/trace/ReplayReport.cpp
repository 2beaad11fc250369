// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/ReplayReport.h"

#include "app/cli/trace/FoldedRows.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/recordings/WhatIfWords.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using experiments::OrderedJson;
using experiments::WhatIfAnswer;
using experiments::WhatIfRow;
using recordings::Recording;
using recordings::ReplayFailure;

namespace {

constexpr std::size_t kMostSuggested = 6; ///< lines of a device

OrderedJson textOrNothing(const std::string& text)
{
    return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

double secondsOf(std::int64_t timeNs)
{
    return static_cast<double>(timeNs) / 1e9;
}

OrderedJson failureJson(const std::optional<ReplayFailure>& failure, const Recording& recording)
{
    if (!failure)
        return nullptr;
    const trace::PhaseSpan* const phase = trace::phaseAt(recording.phases, failure->timeNs);
    OrderedJson json;
    json["requested_bytes"] = failure->facts.requestedBytes;
    json["segment_bytes"] = failure->facts.segmentBytes;
    json["missing_bytes"] = failure->facts.missingBytes;
    json["free_bytes"] = failure->facts.freeDeviceBytes;
    json["allocated_bytes"] = failure->facts.allocatedBytes;
    json["reserved_bytes"] = failure->facts.reservedBytes;
    json["event"] = failure->event ? OrderedJson(*failure->event) : OrderedJson(nullptr);
    json["time_seconds"] = secondsOf(failure->timeNs);
    json["phase"] = phase == nullptr ? OrderedJson(nullptr) : OrderedJson(phase->name);
    json["frames"] = textOrNothing(recording.owners.of(failure->owner).frames);
    json["recorded"] = failure->isRecorded;
    return json;
}

OrderedJson rowJson(const WhatIfRow& row, const Recording& recording)
{
    const recordings::ReplayOutcome& outcome = row.outcome;
    OrderedJson json;
    json["device"] = row.device;
    json["allocator"] = row.allocator;
    json["recorded_settings"] = row.isRecorded;
    json["capacity_bytes"] = row.capacityBytes ? OrderedJson(*row.capacityBytes) : OrderedJson(nullptr);
    json["peak"] = {{"allocated_bytes", outcome.peakAllocatedBytes}, {"reserved_bytes", outcome.peakReservedBytes}};
    json["at_reserved_peak"] = {{"allocated_bytes", outcome.allocatedAtReservedPeakBytes},
        {"unused_bytes", row.unusedBytes()}, {"time_seconds", secondsOf(outcome.reservedPeakTimeNs)}};
    json["flushes"] = outcome.flushes;
    json["retries"] = outcome.retries;
    json["oom"] = failureJson(outcome.failure, recording);
    json["allocations"] = outcome.allocations;
    json["served_as_recorded"] = outcome.servedAsRecorded;
    json["placed_as_recorded"] = outcome.placedAsRecorded;
    json["recorded_flushes"] = outcome.recordedFlushes;
    json["flushes_as_recorded"] = outcome.flushesOfTheRecordedSet;
    json["requests_that_fit_now"] = outcome.fittingNow;
    json["smallest_capacity_bytes"] = row.smallestCapacityBytes;
    json["smallest_card"] = textOrNothing(row.smallestCard);
    return json;
}

std::vector<std::string> cellsOf(const std::string& name, const WhatIfRow& row, const Recording& recording)
{
    return {name, row.capacityBytes ? sizeText(*row.capacityBytes) : "", sizeText(row.outcome.peakAllocatedBytes),
        sizeText(row.outcome.peakReservedBytes),
        fmt::format(
            "{} ({})", sizeText(row.unusedBytes()), shareText(row.unusedBytes(), row.outcome.peakReservedBytes)),
        std::to_string(row.outcome.flushes), std::to_string(row.outcome.retries), sizeText(row.smallestCapacityBytes),
        row.smallestCard, experiments::remarkOn(row, recording)};
}

Table emptyRowTable(bool hasDevices)
{
    return Table({{hasDevices ? "device, allocator" : "allocator"}, {"memory", Alignment::Right},
        {"peak allocated", Alignment::Right}, {"peak reserved", Alignment::Right}, {"unused then", Alignment::Right},
        {"flushes", Alignment::Right}, {"retries", Alignment::Right}, {"smallest memory", Alignment::Right},
        {"smallest card"}, {"remark"}});
}

// What was asked for stands as it was asked for.
Table rowTable(const WhatIfAnswer& answer, const Recording& recording)
{
    const bool hasDevices = recording.devices.size() > 1;
    Table table = emptyRowTable(hasDevices);
    for (const WhatIfRow& row : answer.rows)
        table.addRow(cellsOf(
            (hasDevices ? fmt::format("{}: ", row.device) : "") + row.allocator + (row.isRecorded ? " (recorded)" : ""),
            row, recording));
    return table;
}

// Of what a suggestion tried, what matters.
Table suggestionTable(const WhatIfAnswer& answer, const Recording& recording)
{
    const bool hasDevices = recording.devices.size() > 1;
    Table table = emptyRowTable(hasDevices);
    for (const FoldedDevice& device : foldedRows(answer, kMostSuggested)) {
        const std::string name =
            hasDevices ? fmt::format("{}{}: ", device.device, device.hasDied ? " (ran out of memory)" : "") : "";
        for (const FoldedRow& folded : device.rows)
            table.addRow(cellsOf(name + folded.settings(), *folded.rows.front(), recording));
        if (device.left > 0)
            table.addRow({fmt::format("{}{} left out: no better", name,
                              counted(static_cast<std::int64_t>(device.left), "setting")),
                "", "", "", "", "", "", "", "", ""});
    }
    return table;
}

std::string closingLines(const WhatIfAnswer& answer, bool wasAskedForSuggestion)
{
    std::string lines;
    if (answer.suggestion)
        lines = answer.suggestion->text + "\n  " + answer.suggestion->line + "\n";
    else if (wasAskedForSuggestion)
        lines = "None of the settings that were tried helps.\n";
    for (const std::string& remark : answer.remarks)
        lines += remark + "\n";
    if (!lines.empty())
        lines.pop_back();
    return lines;
}

} // namespace

Report replayReport(const WhatIfAnswer& answer, const Recording& recording, const std::string& subject)
{
    Report report;
    report.document = {{"schema", "headroom.replay/1"}, {"recording", subject}, {"format", recording.format},
        {"predicted", recording.isPredicted}, {"rows", OrderedJson::array()}, {"suggestion", nullptr},
        {"remarks", answer.remarks}};
    for (const WhatIfRow& row : answer.rows) {
        report.document["rows"].push_back(rowJson(row, recording));
        report.records.push_back(rowJson(row, recording));
    }
    if (answer.suggestion)
        report.document["suggestion"] = {{"allocator", answer.suggestion->allocator}, {"text", answer.suggestion->text},
            {"line", answer.suggestion->line}};
    report.sections.push_back(
        {subject, "", answer.wasAskedForSuggestion ? suggestionTable(answer, recording) : rowTable(answer, recording),
            closingLines(answer, answer.wasAskedForSuggestion)});
    return report;
}

} // namespace headroom::cli
