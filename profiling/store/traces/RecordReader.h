// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/store/traces/RecordIndex.h"
#include "profiling/trace/DeviceRecords.h"
#include "profiling/trace/MemoryOwner.h"

#include <optional>
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
    /// As TraceReader::memoryRecords().
    trace::DeviceRecords memoryRecords(std::int64_t fromNs, std::int64_t toNs);
    /// As TraceReader::spans().
    std::vector<trace::Span> spans(Work work, std::int64_t fromNs, std::int64_t toNs);

private:
    using Strings = std::unordered_map<std::int64_t, std::string>;

    /// Begins between which to look for the rows of a window, both included, in order of time.
    std::vector<trace::Span> placesOf(const std::string& table, std::int64_t fromNs, std::int64_t toNs);
    template <typename Table> void readList(trace::DeviceRecords& records, std::int64_t fromNs, std::int64_t toNs);
    template <typename Table>
    void readRows(
        trace::DeviceRecords& records, const std::string& sql, const trace::Span& begins, std::int64_t fromNs);
    bool hasIndex();
    const std::string& string(std::int64_t id);
    void readStrings();

    SqliteFile& m_file;
    std::int64_t m_repeat;
    std::optional<bool> m_hasIndex; ///< a spool has none
    Strings m_strings; ///< those met so far; all of a spool's
};

} // namespace headroom::store
