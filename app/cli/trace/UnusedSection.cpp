// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/UnusedSection.h"

#include "app/cli/trace/TraceTable.h"
#include "core/base/Quantities.h"

#include <fmt/format.h>

namespace headroom::cli {

using experiments::OrderedJson;
using trace::Fragmentation;

namespace {

constexpr const char* kTitle = "Reserved and not used (fragmentation)";

double unusedSeconds(std::int64_t timeNs)
{
    return static_cast<double>(timeNs) / 1e9;
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
        {"segments", bytesOrNull(found.segments)}};
}

} // namespace

Section unusedSection(const report::TraceAnswer& answer)
{
    if (!answer.unused)
        return {kTitle, "The allocator of this device reserves nothing: what is given back is free at once.", {}, ""};
    const report::UnusedAnswer& unused = *answer.unused;
    const std::string unknown = unused.atReservedPeak.splitBytes
        ? ""
        : "\nSegments from before the trace are not in it: what the unused part consists of is not known.";
    return {kTitle, "", unusedTable(unused.atInstant, unused.atReservedPeak),
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
        {"most_unused_time_seconds", unusedSeconds(unused.most.timeNs)}};
    json["over_time"] = OrderedJson::array();
    for (const trace::Bucket& bucket : unused.overTime)
        json["over_time"].push_back({{"begin_seconds", unusedSeconds(bucket.beginNs)},
            {"end_seconds", unusedSeconds(bucket.endNs)}, {"min_bytes", bucket.min}, {"max_bytes", bucket.max}});
    return json;
}

} // namespace headroom::cli
