// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/SegmentAddresses.h"
#include "profiling/simulator/AllocatorSettings.h"
#include "profiling/simulator/DeviceStats.h"
#include "profiling/simulator/Stream.h"
#include "profiling/trace/DeviceRecords.h"
#include "profiling/trace/MemoryCounters.h"
#include "profiling/trace/MemoryOwner.h"
#include "profiling/trace/PhaseSpan.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::recordings {

using simulator::Address;
using simulator::PoolKind;
using simulator::Stream;

/// Times of a file are taken to lie within so many nanoseconds of 1970 (until 2065), so that what is a sum or a
/// difference of three of them has 64 bits.
inline constexpr std::int64_t kMostFileNs = 3'000'000'000'000'000'000;

constexpr std::int64_t withinFileNs(std::int64_t timeNs)
{
    return std::clamp(timeNs, -kMostFileNs, kMostFileNs);
}

/// Of a time in microseconds, which its nanoseconds may be too large for; as near to it as kMostFileNs allows.
constexpr std::int64_t fileNsOf(std::int64_t timeUs)
{
    return std::clamp(timeUs, -kMostFileNs / 1000, kMostFileNs / 1000) * 1000;
}

/// Entries of PyTorch's allocator trace (TraceEntry::Action).
enum class EventKind : std::uint8_t {
    Alloc,
    FreeRequested,
    FreeCompleted,
    SegmentAlloc,
    SegmentFree,
    SegmentMap,
    SegmentUnmap,
    OutOfMemory, ///< a request that failed; `address` is what the device had free
    Relabelled ///< in Headroom's exports: a live block has another owner from here on
};

/// Whether the event is about one block.
constexpr bool isOfBlock(EventKind kind)
{
    return kind <= EventKind::FreeCompleted || kind == EventKind::Relabelled;
}

struct RecordedEvent {
    Address address = 0;
    Bytes bytes = 0; ///< as requested, of blocks; whole, of segments
    Bytes blockBytes = 0; ///< of the block; 0: the recording does not tell
    std::int64_t timeNs = 0; ///< since the first event of the file
    Stream stream = simulator::kDefaultStream;
    trace::OwnerId owner = trace::kUnknownOwner;
    EventKind kind = EventKind::Alloc;
    std::uint16_t privatePool = 0; ///< of a CUDA graph or a MemPool: numbered from 1; 0: the default pools
    trace::OwnerId previousOwner = trace::kUnknownOwner; ///< of Relabelled only
};

struct RecordedBlock {
    Address address = 0;
    Bytes bytes = 0;
    Bytes requestedBytes = 0;
    bool isLive = false;
    bool isPending = false; ///< given back, but a stream still uses it
    trace::OwnerId owner = trace::kUnknownOwner;
};

/// A segment, or one mapped run of an expandable segment. The blocks tile it.
struct RecordedSegment {
    Address address = 0;
    Bytes bytes = 0;
    Stream stream = simulator::kDefaultStream;
    PoolKind pool = PoolKind::Large;
    bool isExpandable = false;
    std::vector<RecordedBlock> blocks;
    std::uint16_t privatePool = 0; ///< as of an event
};

/// What PyTorch's caching allocator did on one device, and what it held before the first event.
struct DeviceRecording {
    int device = 0;
    std::vector<RecordedSegment> before; ///< in address order
    std::vector<RecordedEvent> events;
    trace::MemoryCounters heldBefore{}; ///< memory from before the first event that has no blocks
    std::int64_t privateSegments = 0; ///< of memory pools that are not the default one
    std::int64_t contradictions = 0; ///< events that fit to nothing
    bool hasSegments = true; ///< false: only blocks were recorded

    Bytes reservedBefore() const;
    Bytes peakReservedBytes() const; ///< by the events of segments
    bool isEmpty() const { return before.empty() && events.empty(); }
    bool isExpandable() const;
};

using RecordVisitor = std::function<void(const trace::DeviceRecords&)>;

/// A file that a real run left behind, read.
struct Recording {
    std::string format; ///< "pytorch-snapshot", "chrome", "nsys"
    std::vector<DeviceRecording> devices;
    trace::OwnerTable owners;
    std::vector<trace::PhaseSpan> phases;
    trace::DeviceRecords records; ///< of the driver and the device, where the file has them
    /// Passes on those that stay in the file, in pieces: there may be millions. Reads it anew each time, and throws
    /// FileError. Empty where there are none.
    std::function<void(const RecordVisitor&)> moreRecords;
    std::string allocator; ///< the settings that it was recorded under, as PYTORCH_ALLOC_CONF; empty: PyTorch's own
    bool isOwnExport = false; ///< Headroom wrote it: sizes of blocks and owners are told exactly
    bool isPredicted = false; ///< it is the export of a prediction
    std::string deviceName; ///< of an export: what it was recorded on; else empty
    std::vector<std::string> remarks;

    simulator::AllocatorSettings settings() const;
};

/// What an event adds to reserved memory.
constexpr Bytes reservedChangeOf(const RecordedEvent& event)
{
    switch (event.kind) {
    case EventKind::SegmentAlloc:
    case EventKind::SegmentMap:
        return event.bytes;
    case EventKind::SegmentFree:
    case EventKind::SegmentUnmap:
        return -event.bytes;
    default:
        return 0;
    }
}

inline constexpr int kMostDeviceNumber = 4095;

/// Throws std::length_error for what is the number of no device.
int deviceNumber(std::int64_t number);

/// Told by the addresses: native Linux maps near the end of a process's addresses.
config::SegmentAddresses platformOf(const DeviceRecording& recording);

} // namespace headroom::recordings
