// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/trace/pyramids/CategoryFold.h"

#include <string>
#include <vector>

namespace headroom::store {

/// Reads the categories of one track's memory. Throws FileError, and MalformedBlock for data that cannot be decoded.
class CategoryReader {
public:
    CategoryReader(SqliteFile& file, std::int64_t repeat, const std::string& track);

    /// One bucket per bin: from the pyramid of categories, or from the blocks if the range is finer than the pyramid.
    std::vector<trace::CategoryBucket> read(const trace::BinRange& range) const;

    /// Whether the track was summarised without owners, by a version that had none: then all of it is unknown.
    bool isWithoutOwners() const;

private:
    std::vector<trace::CategoryBucket> fromPyramid(int level, const trace::BinRange& range) const;
    std::vector<trace::CategoryBucket> fromBlocks(const trace::BinRange& range) const;
    trace::CategoryCounters heldBeside(std::int64_t endNs) const;

    SqliteFile& m_file;
    std::int64_t m_repeat;
    const std::string& m_track;
    trace::OwnerCategories m_owners;
};

} // namespace headroom::store
