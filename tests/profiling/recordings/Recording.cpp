// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/recordings/Recording.h"

#include "profiling/simulator/AllocatorSettings.h"
#include "tests/profiling/recordings/Pickle.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace headroom::recordings {
namespace {

struct LiveBlock {
    Bytes bytes = 0;
    bool isExact = false; ///< slack included
};

struct HeldSegment {
    Bytes bytes = 0;
    Stream stream = 0;
    PoolKind pool = PoolKind::Large;
};

// Streams are handles of the driver in a file; here they are numbered as they come.
class RecordingReader {
public:
    explicit RecordingReader(const Pickle& snapshot)
    {
        for (const Pickle& segment : snapshot.at("segments").list())
            if (segment.at("device").integer() == 0)
                addSegment(segment);
        const Pickle traces = snapshot.at("device_traces");
        if (!traces.isNone() && !traces.list().empty())
            for (const Pickle& entry : traces.list().front().list())
                addEvent(entry);
    }

    Recording recording()
    {
        for (auto event = m_recording.events.rbegin(); event != m_recording.events.rend(); ++event)
            undo(*event);
        for (const auto& [address, segment] : m_segments)
            m_recording.before.push_back(tiled(address, segment));
        return m_recording;
    }

private:
    Stream streamOf(const Pickle& handle)
    {
        return m_streams.emplace(handle.integer(), static_cast<Stream>(m_streams.size())).first->second;
    }

    void addSegment(const Pickle& segment)
    {
        const Pickle expandable = segment.at("is_expandable");
        m_recording.isExpandable = m_recording.isExpandable || (!expandable.isNone() && expandable.truth());
        const auto address = static_cast<Address>(segment.at("address").integer());
        const PoolKind pool = segment.at("segment_type").text() == "small" ? PoolKind::Small : PoolKind::Large;
        m_segments[address] = {segment.at("total_size").integer(), streamOf(segment.at("stream")), pool};
        Address at = address;
        for (const Pickle& block : segment.at("blocks").list()) {
            const Bytes bytes = block.at("size").integer();
            if (block.at("state").text() != "inactive")
                m_live[at] = {bytes, true};
            at += static_cast<Address>(bytes);
        }
    }

    void addEvent(const Pickle& entry)
    {
        static const std::map<std::string, EventKind> kKinds{{"alloc", EventKind::Alloc},
            {"free_completed", EventKind::Free}, {"segment_alloc", EventKind::SegmentAlloc},
            {"segment_free", EventKind::SegmentFree}};
        const std::string action = entry.at("action").text();
        m_recording.isExpandable = m_recording.isExpandable || action == "segment_map";
        if (const auto kind = kKinds.find(action); kind != kKinds.end())
            m_recording.events.push_back({kind->second, static_cast<Address>(entry.at("addr").integer()),
                entry.at("size").integer(), streamOf(entry.at("stream"))});
    }

    void undo(const RecordedEvent& event)
    {
        const simulator::AllocatorSettings settings;
        switch (event.kind) {
        case EventKind::Alloc:
            m_live.erase(event.address);
            break;
        case EventKind::Free:
            m_live[event.address] = {settings.roundedBytes(event.bytes), false};
            break;
        case EventKind::SegmentAlloc:
            m_segments.erase(event.address);
            break;
        case EventKind::SegmentFree:
            m_segments[event.address] = {event.bytes, event.stream,
                event.bytes == simulator::kSmallSegmentBytes ? PoolKind::Small : PoolKind::Large};
            break;
        }
    }

    RecordedSegment tiled(Address address, const HeldSegment& held) const
    {
        RecordedSegment segment{address, held.bytes, held.stream, held.pool, {}};
        const Address end = address + static_cast<Address>(held.bytes);
        Address at = address;
        const auto addFree = [&](Address until) {
            if (until > at)
                segment.blocks.push_back({at, static_cast<Bytes>(until - at), false});
        };
        for (auto live = m_live.lower_bound(address); live != m_live.end() && live->first < end; ++live) {
            addFree(live->first);
            const auto next = std::next(live);
            const Address room = next == m_live.end() ? end : std::min(end, next->first);
            segment.blocks.push_back({live->first, withSlack(*live, room, held.pool), true});
            at = live->first + static_cast<Address>(segment.blocks.back().bytes);
        }
        addFree(end);
        return segment;
    }

    static Bytes withSlack(const std::pair<const Address, LiveBlock>& live, Address room, PoolKind pool)
    {
        const Bytes roomBytes = static_cast<Bytes>(room - live.first);
        const Bytes slack = roomBytes - live.second.bytes;
        return !live.second.isExact && pool == PoolKind::Large && slack <= simulator::kSmallBytes ? roomBytes
                                                                                                  : live.second.bytes;
    }

    Recording m_recording;
    std::map<std::int64_t, Stream> m_streams;
    std::map<Address, HeldSegment> m_segments;
    std::map<Address, LiveBlock> m_live;
};

} // namespace

Recording Recording::read(const std::filesystem::path& file)
{
    Recording recording = RecordingReader(Pickle::read(file)).recording();
    recording.name = file.stem().string();
    return recording;
}

config::SegmentAddresses Recording::platform() const
{
    constexpr Address kNearTheEnd = Address{1} << 46;
    const bool isNear = std::ranges::any_of(before, [](const auto& segment) { return segment.address > kNearTheEnd; })
        || std::ranges::any_of(events, [](const auto& event) { return event.address > kNearTheEnd; });
    return isNear ? config::SegmentAddresses::Linux : config::SegmentAddresses::Ascending;
}

Bytes Recording::peakReservedBytes() const
{
    Bytes reserved = 0;
    for (const RecordedSegment& segment : before)
        reserved += segment.bytes;
    Bytes peak = reserved;
    for (const RecordedEvent& event : events) {
        if (event.kind == EventKind::SegmentAlloc)
            reserved += event.bytes;
        else if (event.kind == EventKind::SegmentFree)
            reserved -= event.bytes;
        peak = std::max(peak, reserved);
    }
    return peak;
}

std::optional<std::filesystem::path> recordingsFolder(std::string& reason)
{
    const char* const folder = std::getenv("HEADROOM_RECORDINGS");
    if (folder == nullptr || *folder == '\0') {
        reason = "HEADROOM_RECORDINGS names no folder of recordings of PyTorch's allocator";
        return std::nullopt;
    }
    if (!std::filesystem::is_directory(folder)) {
        reason = std::string("HEADROOM_RECORDINGS is ") + folder + ", which is no folder";
        return std::nullopt;
    }
    return folder;
}

std::vector<Recording> replayableRecordings(const std::filesystem::path& folder)
{
    std::vector<Recording> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".pickle")
            continue;
        Recording recording = Recording::read(entry.path());
        if (!recording.events.empty() && !recording.isExpandable)
            found.push_back(std::move(recording));
    }
    std::ranges::sort(found, {}, &Recording::name);
    return found;
}

} // namespace headroom::recordings
