// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/TraceSections.h"

#include "app/cli/trace/TraceTable.h"
#include "core/base/Quantities.h"

#include <fmt/format.h>

#include <array>

namespace headroom::cli {

using experiments::OrderedJson;
using trace::Fragmentation;
using trace::MemorySources;

namespace {

struct Row {
    const char* key;
    const char* title;
    std::optional<Bytes> MemorySources::* value;
};

constexpr std::array<Row, 12> kRows{{{"driver_bytes", "given out by the driver (CUPTI)", &MemorySources::driverBytes},
    {"virtual_bytes", "behind virtual addresses (CUPTI)", &MemorySources::virtualBytes},
    {"reserved_bytes", "reserved by LibTorch", &MemorySources::reservedBytes},
    {"allocated_bytes", "allocated by LibTorch", &MemorySources::allocatedBytes},
    {"cached_bytes", "  in its cache: reserved - allocated", &MemorySources::cachedBytes},
    {"outside_torch_bytes", "outside LibTorch: driver + virtual - reserved", &MemorySources::outsideTorchBytes},
    {"process_bytes", "used by this process (NVML, sampled)", &MemorySources::processBytes},
    {"untracked_bytes", "  untracked: process - driver - virtual", &MemorySources::untrackedBytes},
    {"untracked_at_first_bytes", "  the same at the first sample", &MemorySources::untrackedAtFirstBytes},
    {"used_bytes", "used of the device by anyone (NVML, sampled)", &MemorySources::usedBytes},
    {"total_bytes", "memory of the device (NVML)", &MemorySources::totalBytes},
    {"headroom_bytes", "headroom: total - used + unused in the cache", &MemorySources::headroomBytes}}};

constexpr const char* kUnusedTitle = "Reserved and not used (fragmentation)";

double sectionSeconds(std::int64_t timeNs)
{
    return static_cast<double>(timeNs) / 1e9;
}

std::string sourcesText(const MemorySources& witnesses)
{
    if (!witnesses.outsideBySource || witnesses.outsideBySource->empty())
        return "";
    std::string text = "Outside LibTorch by who asked for it:";
    for (const auto& [source, bytes] : *witnesses.outsideBySource)
        text += fmt::format("\n  {}  {}", sizeText(bytes), source.empty() ? "not recorded" : source);
    return text;
}

std::string remarksOn(const report::TraceWitnesses& witnesses)
{
    std::string text = "Untracked is what no allocation record shows: the context, loaded modules, local memory of "
                       "kernels, and what CUPTI takes itself. NVML is sampled and misses short peaks.";
    if (witnesses.isCaptureLate)
        text += "\nMemory was given out before the driver was recorded: its figures are lower bounds.";
    if (const std::string sources = sourcesText(witnesses.atInstant); !sources.empty())
        text += "\n" + sources;
    return text;
}

OrderedJson sourcesJson(const MemorySources& witnesses)
{
    if (!witnesses.outsideBySource)
        return nullptr;
    OrderedJson list = OrderedJson::array();
    for (const auto& [source, bytes] : *witnesses.outsideBySource)
        list.push_back({{"source", source.empty() ? OrderedJson() : OrderedJson(source)}, {"total_bytes", bytes}});
    return list;
}

OrderedJson json(const MemorySources& witnesses)
{
    OrderedJson object{{"time_seconds", sectionSeconds(witnesses.timeNs)}};
    for (const Row& row : kRows)
        object[row.key] = witnesses.*row.value ? OrderedJson(*(witnesses.*row.value)) : OrderedJson();
    object["sample_age_seconds"] =
        witnesses.sampleAgeNs ? OrderedJson(sectionSeconds(*witnesses.sampleAgeNs)) : OrderedJson();
    object["outside_by_source"] = sourcesJson(witnesses);
    return object;
}

Table unusedTable(const Fragmentation& atInstant, const Fragmentation& atPeak)
{
    const SizeUnit unit = columnUnitFor({atPeak.reservedBytes, atPeak.reservedBytes / 100});
    Table table({{fmt::format("in {}", unit.name)}, {"at this instant", Alignment::Right},
        {"at the peak of reserved", Alignment::Right}});
    const auto row = [&](const std::string& name, std::optional<Bytes> left, std::optional<Bytes> right) {
        table.addRow({name, inUnit(left, unit), inUnit(right, unit)});
    };
    row("reserved", atInstant.reservedBytes, atPeak.reservedBytes);
    row("allocated", atInstant.allocatedBytes, atPeak.allocatedBytes);
    row("  rounding and slack, not asked for", atInstant.slackBytes, atPeak.slackBytes);
    row("not used", atInstant.unusedBytes(), atPeak.unusedBytes());
    row("  given back, waiting for a stream", atInstant.pendingBytes, atPeak.pendingBytes);
    row("  whole segments, can be released", atInstant.releasableBytes, atPeak.releasableBytes);
    row("  free parts of used segments", atInstant.splitBytes, atPeak.splitBytes);
    row("largest free stretch", atInstant.largestHoleBytes, atPeak.largestHoleBytes);
    return table;
}

OrderedJson bytesOrNull(const std::optional<Bytes>& value)
{
    return value ? OrderedJson(*value) : OrderedJson();
}

OrderedJson fragmentationJson(const Fragmentation& found)
{
    return {{"reserved_bytes", found.reservedBytes}, {"allocated_bytes", found.allocatedBytes},
        {"unused_bytes", found.unusedBytes()}, {"pending_bytes", found.pendingBytes},
        {"releasable_bytes", bytesOrNull(found.releasableBytes)}, {"split_bytes", bytesOrNull(found.splitBytes)},
        {"largest_hole_bytes", bytesOrNull(found.largestHoleBytes)}, {"holes", bytesOrNull(found.holes)},
        {"segments", bytesOrNull(found.segments)}, {"slack_bytes", bytesOrNull(found.slackBytes)}};
}

} // namespace

Section witnessSection(const report::TraceWitnesses& witnesses)
{
    const auto& peak = witnesses.atDriverPeak;
    std::vector<std::optional<Bytes>> amounts;
    for (const Row& row : kRows)
        amounts.push_back(witnesses.atInstant.*row.value);
    const SizeUnit unit = columnUnitFor(amounts);
    Table table({{fmt::format("in {}", unit.name)}, {"at this instant", Alignment::Right},
        {"at the driver's peak", Alignment::Right}});
    for (const Row& row : kRows)
        table.addRow(
            {row.title, inUnit(witnesses.atInstant.*row.value, unit), peak ? inUnit(*peak.*row.value, unit) : ""});
    return {"Three witnesses: driver, LibTorch's allocator, device", "", table, remarksOn(witnesses)};
}

OrderedJson witnessesJson(const std::optional<report::TraceWitnesses>& witnesses)
{
    if (!witnesses)
        return nullptr;
    OrderedJson document{{"lower_bound", witnesses->isCaptureLate}, {"at", json(witnesses->atInstant)},
        {"at_driver_peak", witnesses->atDriverPeak ? json(*witnesses->atDriverPeak) : OrderedJson()}};
    document["over_time"] = OrderedJson::array();
    for (const MemorySources& instant : witnesses->overTime)
        document["over_time"].push_back(json(instant));
    return document;
}

Section unusedSection(const report::TraceAnswer& answer)
{
    if (!answer.unused)
        return {
            kUnusedTitle, "The allocator of this device reserves nothing: what is given back is free at once.", {}, ""};
    const report::UnusedAnswer& unused = *answer.unused;
    const std::string unknown = unused.atReservedPeak.splitBytes
        ? ""
        : "\nSegments from before the trace are not in it: what the unused part consists of is not known.";
    return {kUnusedTitle, "", unusedTable(unused.atInstant, unused.atReservedPeak),
        fmt::format("Most at any time: {} reserved and not used, {}.{}", sizeText(unused.most.bytes),
            intoTheTrace(unused.most.timeNs), unknown)};
}

OrderedJson unusedJson(const report::TraceAnswer& answer)
{
    if (!answer.unused)
        return nullptr;
    const report::UnusedAnswer& unused = *answer.unused;
    OrderedJson json{{"at", fragmentationJson(unused.atInstant)},
        {"at_reserved_peak", fragmentationJson(unused.atReservedPeak)}, {"most_unused_bytes", unused.most.bytes},
        {"most_unused_time_seconds", sectionSeconds(unused.most.timeNs)}};
    json["over_time"] = OrderedJson::array();
    for (const trace::Bucket& bucket : unused.overTime)
        json["over_time"].push_back({{"begin_seconds", sectionSeconds(bucket.beginNs)},
            {"end_seconds", sectionSeconds(bucket.endNs)}, {"min_bytes", bucket.min}, {"max_bytes", bucket.max}});
    return json;
}

} // namespace headroom::cli
