// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/trace/DeviceRecords.h"
#include "profiling/trace/MemoryOwner.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::store {

/// Reads owners and records of one repeat, from a workspace or from a spool. Throws FileError.
class RecordReader {
public:
    RecordReader(SqliteFile& file, std::int64_t repeat);

    /// Indexed by id, the unknown owner first. Rows that are missing or name no valid category become unknown owners.
    std::vector<trace::MemoryOwner> owners() const;
    /// The number of rows that owners() skipped.
    std::int64_t malformedOwners() const;
    /// As TraceReader::records().
    trace::DeviceRecords records(std::int64_t fromNs, std::int64_t toNs);

private:
    using Strings = std::unordered_map<std::int64_t, std::string>;

    template <typename Table>
    void readList(trace::DeviceRecords& records, std::int64_t fromNs, std::int64_t toNs) const;
    void readStrings();

    SqliteFile& m_file;
    std::int64_t m_repeat;
    Strings m_strings;
};

} // namespace headroom::store
