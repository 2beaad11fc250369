// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/SegmentAddresses.h"
#include "profiling/simulator/DeviceStats.h"
#include "profiling/simulator/Stream.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::recordings {

using simulator::Address;
using simulator::PoolKind;
using simulator::Stream;

enum class EventKind { Alloc, Free, SegmentAlloc, SegmentFree };

struct RecordedEvent {
    EventKind kind = EventKind::Alloc;
    Address address = 0;
    Bytes bytes = 0; ///< as requested, of blocks; whole, of segments
    Stream stream = 0;
};

struct RecordedBlock {
    Address address = 0;
    Bytes bytes = 0;
    bool isLive = false;
};

/// The blocks tile the segment.
struct RecordedSegment {
    Address address = 0;
    Bytes bytes = 0;
    Stream stream = 0;
    PoolKind pool = PoolKind::Large;
    std::vector<RecordedBlock> blocks;
};

/// What PyTorch's caching allocator did on the first device of a file of torch.cuda.memory._dump_snapshot: its events,
/// and what it held before the first of them.
///
/// The state before is found by running the events backward from the final one. Events do not tell of slack in large
/// blocks; as no free block of the large pool has 1 MiB or less, what lies between two blocks and is not more is slack.
struct Recording {
    std::string name;
    std::vector<RecordedSegment> before;
    std::vector<RecordedEvent> events;
    bool isExpandable = false;

    static Recording read(const std::filesystem::path& file);

    /// Told by the addresses: native Linux maps near the end of a process's addresses.
    config::SegmentAddresses platform() const;

    /// Most reserved bytes, by the events of segments.
    Bytes peakReservedBytes() const;
};

/// The folder that HEADROOM_RECORDINGS names; nothing, and why, where there is none.
std::optional<std::filesystem::path> recordingsFolder(std::string& reason);

/// All recordings of a folder in order of name, and those that cannot be replayed left out: without events, or with
/// expandable segments.
std::vector<Recording> replayableRecordings(const std::filesystem::path& folder);

} // namespace headroom::recordings
