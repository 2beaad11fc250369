// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/capture/CaptureTable.h"

#include "core/base/Quantities.h"
#include "core/base/Statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace headroom::capture_cost {
namespace {

using Figure = std::function<std::optional<double>(const ProcessCost&)>;

using Rounds = CaptureTable::Rounds;

std::optional<double> medianOf(const Rounds& rounds, const Figure& figure)
{
    std::vector<double> values;
    for (const auto& [round, cost] : rounds)
        if (const auto value = figure(cost))
            values.push_back(*value);
    return median(values);
}

// Each round's figure against the same round without a spool.
std::optional<Ratios> ratiosOf(const Rounds& rounds, const Rounds& without, const Figure& figure)
{
    std::vector<double> ratios;
    for (const auto& [round, cost] : rounds)
        if (const auto plain = without.find(round); plain != without.end() && plain->second.stepSeconds > 0)
            if (const auto value = figure(cost))
                ratios.push_back(*value / plain->second.stepSeconds);
    if (ratios.empty())
        return std::nullopt;
    return Ratios{*median(ratios), *std::min_element(ratios.begin(), ratios.end()),
        *std::max_element(ratios.begin(), ratios.end())};
}

std::optional<double> asNumber(std::optional<Bytes> bytes)
{
    return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

std::optional<Bytes> extraDeviceBytes(const Rounds& rounds, const Rounds& without)
{
    const Figure device = [](const ProcessCost& cost) { return asNumber(cost.peakDevice); };
    const auto with = medianOf(rounds, device);
    const auto plain = medianOf(without, device);
    return with && plain ? std::optional(static_cast<Bytes>(*with - *plain)) : std::nullopt;
}

std::string ratioText(const std::optional<Ratios>& ratios)
{
    return ratios ? fmt::format("{:.3f} ({:.3f} to {:.3f})", ratios->median, ratios->least, ratios->most) : "-";
}

protocol::Json toJson(const std::optional<Ratios>& ratios)
{
    if (!ratios)
        return nullptr;
    return {{"median", ratios->median}, {"least", ratios->least}, {"most", ratios->most}};
}

} // namespace

void CaptureTable::add(const std::string& model, Capture capture, int round, ProcessCost cost)
{
    auto line = std::find_if(m_lines.begin(), m_lines.end(),
        [&](const Line& known) { return known.model == model && known.capture == capture; });
    if (line == m_lines.end())
        line = m_lines.insert(m_lines.end(), Line{model, capture, {}});
    line->rounds.emplace(round, std::move(cost));
}

CaptureTable::Rounds CaptureTable::without(const std::string& model) const
{
    for (const Line& line : m_lines)
        if (line.model == model && line.capture == Capture::None)
            return line.rounds;
    return {};
}

std::vector<CostRow> CaptureTable::rows() const
{
    const Figure step = [](const ProcessCost& cost) { return std::optional(cost.stepSeconds); };
    const Figure traced = [](const ProcessCost& cost) { return cost.tracedStepSeconds; };
    const Figure spool = [](const ProcessCost& cost) { return asNumber(cost.spoolBytes); };
    const Figure events = [](const ProcessCost& cost) { return std::optional(static_cast<double>(cost.events)); };
    std::vector<CostRow> rows;
    for (const Line& line : m_lines) {
        const Rounds plain = without(line.model);
        rows.push_back({.model = line.model,
            .capture = line.capture,
            .processes = static_cast<int>(line.rounds.size()),
            .stepSeconds = medianOf(line.rounds, step).value_or(0),
            .step = ratiosOf(line.rounds, plain, step).value_or(Ratios{}),
            .tracedStepSeconds = medianOf(line.rounds, traced),
            .tracedStep = ratiosOf(line.rounds, plain, traced),
            .deviceExtraBytes = extraDeviceBytes(line.rounds, plain),
            .spoolBytes = static_cast<Bytes>(medianOf(line.rounds, spool).value_or(0)),
            .events = static_cast<std::int64_t>(medianOf(line.rounds, events).value_or(0))});
    }
    return rows;
}

protocol::Json toJson(const std::string& model, Capture capture, int round, const ProcessCost& cost)
{
    return {{"schema", "headroom.capture-process/1"}, {"model", model}, {"capture", toText(capture)}, {"round", round},
        {"step_seconds", cost.stepSeconds}, {"traced_step_seconds", protocol::orNull(cost.tracedStepSeconds)},
        {"events", cost.events}, {"spool_bytes", cost.spoolBytes},
        {"peak_allocated_bytes", protocol::orNull(cost.peakAllocated)},
        {"peak_device_bytes", protocol::orNull(cost.peakDevice)}, {"remarks", cost.remarks}};
}

protocol::Json toJson(const CostRow& row)
{
    return {{"model", row.model}, {"capture", toText(row.capture)}, {"processes", row.processes},
        {"step_seconds", row.stepSeconds}, {"step_ratio", toJson(std::optional(row.step))},
        {"traced_step_seconds", protocol::orNull(row.tracedStepSeconds)}, {"traced_step_ratio", toJson(row.tracedStep)},
        {"device_extra_bytes", protocol::orNull(row.deviceExtraBytes)}, {"spool_bytes", row.spoolBytes},
        {"events", row.events}};
}

std::string toMarkdown(std::span<const CostRow> rows)
{
    std::string text = "| model | captured | processes | step (ms) | against none | traced step against none "
                       "| more of the device | spool | events |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n";
    for (const CostRow& row : rows)
        text += fmt::format("| {} | {} | {} | {:.3f} | {} | {} | {} | {} | {} |\n", row.model, toText(row.capture),
            row.processes, 1e3 * row.stepSeconds, ratioText(row.step), ratioText(row.tracedStep),
            row.deviceExtraBytes ? signedSizeText(*row.deviceExtraBytes) : "-", sizeText(row.spoolBytes), row.events);
    return text;
}

} // namespace headroom::capture_cost
