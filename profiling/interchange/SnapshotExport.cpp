// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/SnapshotExport.h"

#include "core/config/Installation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headroom::interchange {
namespace {

using trace::Action;
using trace::AllocatorEvent;

// Names of c10::CachingDeviceAllocator::TraceEntry::Action in a snapshot.
std::string_view actionName(Action action)
{
    switch (action) {
    case Action::Alloc:
        return "alloc";
    case Action::FreeRequested:
        return "free_requested";
    case Action::FreeCompleted:
        return "free_completed";
    case Action::SegmentAlloc:
        return "segment_alloc";
    case Action::SegmentFree:
        return "segment_free";
    case Action::SegmentMap:
        return "segment_map";
    case Action::SegmentUnmap:
        return "segment_unmap";
    case Action::OutOfMemory:
        return "oom";
    case Action::Relabelled:
        break;
    }
    return "unknown";
}

bool isOfBlock(Action action)
{
    return action == Action::Alloc || action == Action::FreeRequested || action == Action::FreeCompleted;
}

// Microseconds, rounded down, also for times before the start of the trace.
std::int64_t wholeMicroseconds(std::int64_t timeNs)
{
    return timeNs / 1'000 - (timeNs % 1'000 < 0 ? 1 : 0);
}

// PyTorch keeps blocks up to 1 MiB in segments of 2 MiB.
constexpr Bytes kLargestSmallSegment = 2 * kMiB;

} // namespace

SnapshotExport::SnapshotExport(const RecordedTrace& trace, ReplacedFile& file)
    : m_trace(trace)
    , m_file(file)
    , m_pickle(file)
    , m_contexts(trace, m_pickle)
{
}

ExportSummary SnapshotExport::write()
{
    m_pickle.beginDict();
    // Traces first: the segments are the state after them.
    writeTraces();
    writeSegments();
    writeSettings();
    writePhases();
    writeOrigin();
    m_pickle.endDict();
    m_pickle.finish();
    return summary();
}

// The index of a trace in the list is the number of its device.
void SnapshotExport::writeTraces()
{
    m_pickle.word("device_traces");
    m_pickle.beginList();
    for (int other = 0; other < m_trace.deviceIndex(); ++other) {
        m_pickle.beginList();
        m_pickle.endList();
    }
    for (const store::TrackRow& track : m_trace.tracks()) {
        Device& device = m_devices.emplace_back();
        device.number = m_trace.deviceIndex() + static_cast<std::int64_t>(m_devices.size()) - 1;
        writeTrace(track, device);
    }
    m_pickle.endList();
}

// First pass.
AllocatorReplay::Expectation SnapshotExport::learn(const store::TrackRow& track, FinalOwners& owners)
{
    AllocatorReplay::Expectation expectation{.heldBefore = m_trace.before(track.track).allocated};
    m_trace.eachEvent(track.track, [&](const AllocatorEvent& event) {
        owners.learn(event);
        expectation.mapsMemory = expectation.mapsMemory || event.action == Action::SegmentMap;
    });
    m_relabelled += owners.relabelled();
    return expectation;
}

// Second pass.
void SnapshotExport::writeTrace(const store::TrackRow& track, Device& device)
{
    FinalOwners owners;
    const AllocatorReplay::Expectation expectation = learn(track, owners);
    const auto write = [&](const AllocatorEvent& event) {
        writeEntry(event);
        device.lastNs = event.timeNs;
    };
    AllocatorReplay replay(write, expectation);
    m_pickle.beginList();
    m_trace.eachEvent(track.track, [&](AllocatorEvent event) {
        if (event.action == Action::Alloc)
            event.owner = owners.next().value_or(event.owner);
        replay.apply(event);
    });
    writeEndOfTrace(device.lastNs);
    m_pickle.endList();
    m_heldBefore += replay.heldBefore();
    keep(replay, device);
}

void SnapshotExport::keep(const AllocatorReplay& replay, Device& device)
{
    device.repairs = replay.repairs();
    device.segments.assign(replay.segments().begin(), replay.segments().end());
    device.blocks = replay.blocks();
    device.hasOwnSegments = replay.hasOwnSegments();
    device.hasExpandableSegments = replay.hasExpandableSegments();
}

void SnapshotExport::writeEntry(const AllocatorEvent& event)
{
    ++m_entries;
    m_pickle.beginDict();
    m_pickle.word("action");
    m_pickle.word(actionName(event.action));
    m_pickle.word(event.action == Action::OutOfMemory ? "device_free" : "addr");
    m_pickle.unsignedInteger(event.address);
    entry("size", event.bytes);
    entry("stream", event.stream);
    entry("time_us", wholeMicroseconds(event.timeNs));
    entry("time_ns", event.timeNs);
    if (isOfBlock(event.action)) {
        entry("requested_size", event.requestedBytes);
        m_contexts.writeCategory(event.owner);
        m_contexts.write(event.owner, event.timeNs);
    } else {
        m_contexts.writePhase(event.timeNs);
    }
    m_pickle.endDict();
}

// As in torch.cuda.memory._snapshot(). Older viewers fail if there are categories but no such entry.
void SnapshotExport::writeEndOfTrace(std::int64_t timeNs)
{
    m_pickle.beginDict();
    entry("action", "snapshot");
    entry("addr", 0);
    entry("size", 0);
    entry("stream", 0);
    entry("time_us", wholeMicroseconds(timeNs));
    m_contexts.writeCategory(trace::kUnknownOwner);
    m_contexts.writePhase(timeNs);
    m_pickle.endDict();
}

void SnapshotExport::writeSegments()
{
    m_pickle.word("segments");
    m_pickle.beginList();
    for (const Device& device : m_devices)
        for (const auto& [address, segment] : device.segments)
            writeSegment(device, address, segment);
    m_pickle.endList();
}

void SnapshotExport::writeSegment(const Device& device, std::uint64_t address, const AllocatorReplay::Segment& segment)
{
    ++m_segments;
    Bytes allocated = 0;
    Bytes active = 0;
    Bytes requested = 0;
    const std::uint64_t end = address + static_cast<std::uint64_t>(segment.bytes);
    for (auto block = device.blocks.lower_bound(address); block != device.blocks.end() && block->first < end; ++block) {
        active += block->second.bytes;
        allocated += block->second.isFreeRequested ? 0 : block->second.bytes;
        requested += block->second.isFreeRequested ? 0 : block->second.requestedBytes;
    }
    m_pickle.beginDict();
    entry("device", device.number);
    m_pickle.word("address");
    m_pickle.unsignedInteger(address);
    entry("total_size", segment.bytes);
    entry("allocated_size", allocated);
    entry("active_size", active);
    entry("requested_size", requested);
    entry("stream", segment.stream);
    entry("segment_type", segment.bytes <= kLargestSmallSegment ? "small" : "large");
    m_pickle.word("segment_pool_id");
    m_pickle.pair(0, 0);
    m_pickle.word("is_expandable");
    m_pickle.boolean(segment.kind == AllocatorReplay::SegmentKind::Expandable);
    m_contexts.writePhase(device.lastNs);
    writeBlocks(device, address, segment);
    m_pickle.endDict();
}

// Viewers find a block by adding up sizes: the blocks tile the segment in order.
void SnapshotExport::writeBlocks(const Device& device, std::uint64_t address, const AllocatorReplay::Segment& segment)
{
    m_pickle.word("blocks");
    m_pickle.beginList();
    const std::uint64_t end = address + static_cast<std::uint64_t>(segment.bytes);
    for (auto block = device.blocks.lower_bound(address); block != device.blocks.end() && block->first < end; ++block) {
        writeFree(address, static_cast<Bytes>(block->first - address));
        writeBlock(block->first, block->second);
        address = block->first + static_cast<std::uint64_t>(block->second.bytes);
    }
    writeFree(address, static_cast<Bytes>(end - address));
    m_pickle.endList();
}

void SnapshotExport::writeBlock(std::uint64_t address, const AllocatorReplay::Block& block)
{
    m_pickle.beginDict();
    m_pickle.word("address");
    m_pickle.unsignedInteger(address);
    entry("size", block.bytes);
    entry("requested_size", block.requestedBytes);
    entry("state", block.isFreeRequested ? "active_pending_free" : "active_allocated");
    m_contexts.write(block.owner, block.allocatedNs);
    m_pickle.endDict();
}

void SnapshotExport::writeFree(std::uint64_t address, Bytes bytes)
{
    if (bytes == 0)
        return;
    m_pickle.beginDict();
    m_pickle.word("address");
    m_pickle.unsignedInteger(address);
    entry("size", bytes);
    entry("requested_size", 0);
    entry("state", "inactive");
    m_pickle.word("frames");
    m_pickle.beginList();
    m_pickle.endList();
    m_pickle.endDict();
}

// The settings that are known. PyTorch writes more; a viewer that reads those finds them missing rather than wrong.
void SnapshotExport::writeSettings()
{
    m_pickle.word("allocator_settings");
    m_pickle.beginDict();
    m_pickle.word("expandable_segments");
    m_pickle.boolean(std::ranges::any_of(m_devices, &Device::hasExpandableSegments));
    m_pickle.word("trace_alloc_overflowed");
    m_pickle.boolean(false);
    m_pickle.endDict();
}

void SnapshotExport::writePhases()
{
    m_pickle.word("external_annotations");
    m_pickle.beginList();
    for (const trace::PhaseSpan& span : m_trace.phases()) {
        writePhaseEdge(span, "START", span.beginNs);
        writePhaseEdge(span, "END", span.endNs);
    }
    m_pickle.endList();
}

void SnapshotExport::writePhaseEdge(const trace::PhaseSpan& span, std::string_view stage, std::int64_t timeNs)
{
    m_pickle.beginDict();
    entry("device", m_trace.deviceIndex());
    entry("time_us", wholeMicroseconds(timeNs));
    entry("time_ns", timeNs);
    entry("name", span.name);
    entry("stage", stage);
    entry("step", span.step);
    m_pickle.endDict();
}

void SnapshotExport::writeOrigin()
{
    m_pickle.word("headroom");
    m_pickle.beginDict();
    entry("version", config::version());
    entry("experiment", m_trace.experiment().name);
    entry("trial_id", m_trace.trial().trialId);
    entry("label", m_trace.trial().label);
    entry("device", m_trace.trial().device);
    entry("repeat", m_trace.repeat().repeatIndex);
    m_pickle.word("predicted");
    m_pickle.boolean(m_trace.trial().predicted);
    m_pickle.word("segments_of_single_blocks"); // which its allocator does not have
    m_pickle.boolean(std::ranges::any_of(m_devices, &Device::hasOwnSegments));
    m_pickle.word("tracks");
    m_pickle.beginList();
    for (const store::TrackRow& track : m_trace.tracks())
        m_pickle.text(track.track);
    m_pickle.endList();
    m_pickle.endDict();
}

ExportSummary SnapshotExport::summary() const
{
    ExportSummary summary;
    summary.contents = fmt::format("{} events, {} segments at the end", m_entries, m_segments);
    if (m_relabelled > 0)
        summary.notes.push_back(fmt::format("{} changes of owner: a snapshot names one category a block, the one that "
                                            "it was last known to have",
            m_relabelled));
    if (m_heldBefore != 0)
        summary.notes.push_back(fmt::format(
            "{} bytes were held before the trace began, in blocks that it does not name; they are not in it",
            m_heldBefore));
    for (const Device& device : m_devices)
        noteDevice(device, summary);
    return summary;
}

void SnapshotExport::noteDevice(const Device& device, ExportSummary& summary) const
{
    const auto note = [&](std::int64_t count, std::string_view what) {
        if (count > 0)
            summary.notes.push_back(fmt::format("{} {}", count, what));
    };
    if (device.hasOwnSegments)
        summary.notes.push_back("its allocator has no segments: each block is shown as a segment of its own");
    note(device.repairs.heldBefore, "blocks were there before the trace began; they show from its beginning");
    note(device.repairs.leftOut, "events that fit to no block or segment were left out");
    note(device.repairs.addedMaps, "maps of memory that were not recorded were added");
    note(device.repairs.addedFrees, "frees that were not recorded were added");
}

void SnapshotExport::entry(std::string_view key, std::int64_t value)
{
    m_pickle.word(key);
    m_pickle.integer(value);
}

// Texts about the trial occur once; the others repeat, so that texts are written as words.
void SnapshotExport::entry(std::string_view key, std::string_view value)
{
    m_pickle.word(key);
    m_pickle.word(value);
}

} // namespace headroom::interchange
