// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/recordings/SnapshotEntries.h"
#include "profiling/recordings/values/NamedOnce.h"

#include <map>
#include <utility>

namespace headroom::recordings {

/// Reads the segments of a snapshot with their blocks. Throws std::length_error for more than the file's bounds allow,
/// and for segments, lists of blocks and blocks that the file names twice.
class SnapshotSegments {
public:
    SnapshotSegments(const Objects& objects, SnapshotEntries& entries, NamedOnce& named);

    RecordedSegment read(const Value& segment);

private:
    std::uint16_t privatePoolOf(const Value& id);
    RecordedBlock blockOf(const Value& block, Address at, Bytes most);
    Value framesOf(const Value& block) const;

    const Objects& m_objects;
    SnapshotEntries& m_entries;
    NamedOnce& m_named;
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint16_t> m_pools; ///< private ones by their id
};

} // namespace headroom::recordings
