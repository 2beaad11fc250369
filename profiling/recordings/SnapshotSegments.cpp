// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/SnapshotSegments.h"

#include "profiling/recordings/PrivatePools.h"

#include <algorithm>

namespace headroom::recordings {

SnapshotSegments::SnapshotSegments(const Objects& objects, SnapshotEntries& entries, NamedOnce& named)
    : m_objects(objects)
    , m_entries(entries)
    , m_named(named)
{
}

RecordedSegment SnapshotSegments::read(const Value& value)
{
    const Value blocks = m_objects.at(value, "blocks");
    const std::size_t count = m_objects.list(blocks).size();
    m_named.requireOnce(value, "a segment");
    m_named.requireOnce(blocks, "a list of blocks");
    m_objects.charge(sizeof(RecordedSegment) + count * sizeof(RecordedBlock));
    RecordedSegment segment;
    segment.address = m_objects.at(value, "address").unsignedInteger();
    segment.bytes = std::max<Bytes>(0, m_objects.at(value, "total_size").integer());
    segment.stream = m_entries.streamOf(m_objects, m_objects.at(value, "stream"));
    segment.isExpandable = m_objects.at(value, "is_expandable").truth();
    segment.pool = m_objects.text(m_objects.at(value, "segment_type")) == "small" ? PoolKind::Small : PoolKind::Large;
    segment.privatePool = privatePoolOf(m_objects.at(value, "segment_pool_id"));
    segment.blocks.reserve(count);
    // Before torch 2.1 blocks had no address: they tile the segment.
    Address at = segment.address;
    for (const Value& block : m_objects.list(blocks)) {
        m_named.requireOnce(block, "a block");
        segment.blocks.push_back(blockOf(block, at, segment.bytes));
        at = segment.blocks.back().address + static_cast<Address>(segment.blocks.back().bytes);
    }
    return segment;
}

// A pool's id is a pair of numbers, both 0 for the default one.
std::uint16_t SnapshotSegments::privatePoolOf(const Value& id)
{
    const std::vector<Value>& both = m_objects.list(id);
    const std::pair numbers(both.empty() ? 0 : both.front().integer(), both.empty() ? 0 : both.back().integer());
    if (numbers == std::pair<std::int64_t, std::int64_t>())
        return 0;
    const auto next = static_cast<std::uint16_t>(std::min<std::size_t>(m_pools.size() + 1, kMostPrivatePools));
    return m_pools.try_emplace(numbers, next).first->second;
}

// A block is no larger than its segment, and its request no larger than the block, whatever the file says.
RecordedBlock SnapshotSegments::blockOf(const Value& value, Address at, Bytes most)
{
    const std::string_view state = m_objects.text(m_objects.at(value, "state"));
    const Value address = m_objects.at(value, "address");
    const Value requested = m_objects.at(value, "requested_size");
    RecordedBlock block;
    block.address = address.isNumber() ? address.unsignedInteger() : at;
    block.bytes = std::clamp<Bytes>(m_objects.at(value, "size").integer(), 0, most);
    block.isLive = state != "inactive";
    block.isPending = block.isLive && state != "active_allocated";
    if (block.isLive) {
        const bool isTold = requested.isNumber() && requested.integer() > 0 && requested.integer() <= block.bytes;
        block.requestedBytes = isTold ? requested.integer() : block.bytes;
        block.owner = m_entries.owners().ownerOf(
            m_objects, framesOf(value), m_objects.at(value, "user_metadata"), m_objects.at(value, "category"));
    }
    return block;
}

// The first versions kept the frames in a history of the block.
Value SnapshotSegments::framesOf(const Value& block) const
{
    const Value frames = m_objects.at(block, "frames");
    const std::vector<Value>& history = m_objects.list(m_objects.at(block, "history"));
    return frames.kind == Value::Kind::List || history.empty() ? frames : m_objects.at(history.front(), "frames");
}

} // namespace headroom::recordings
