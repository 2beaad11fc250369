// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/interchange/ChromeWriter.h"
#include "profiling/interchange/RecordedTrace.h"

#include <cstddef>
#include <string>
#include <vector>

namespace headroom::interchange {

/// Writes an allocator's memory as counters of a Chrome trace: allocated, reserved and active bytes, and allocated
/// bytes by category, stacked.
class ChromeCounters {
public:
    ChromeCounters(const RecordedTrace& trace, ChromeWriter& writer, ChromeProcess process);

    /// Writes every change of each counter. Reads the track block by block.
    void writeAll(const store::TrackRow& track);
    /// Writes each counter as at most `width` intervals of time, with the minimum, maximum and last value of each:
    /// peaks are kept, however short they are. The categories are those at the maximum.
    void writeStretches(const store::TrackRow& track, std::size_t width);
    /// Writes an instant event for each request that failed.
    void writeOutOfMemory(const store::TrackRow& track);

private:
    std::string nameOf(const std::string& counter, const std::string& track) const;
    void write(const std::string& name, std::int64_t timeNs, Bytes bytes);
    void writeChanges(const std::string& track, std::int64_t timeNs, const trace::MemoryCounters& before,
        const trace::MemoryCounters& now);
    void writeBuckets(const std::string& name, const std::vector<trace::Bucket>& buckets);
    void writeCategories(const std::string& track, std::int64_t timeNs, const trace::CategoryBytes& bytes);

    const RecordedTrace& m_trace;
    ChromeWriter& m_writer;
    ChromeProcess m_process;
    std::vector<config::MemoryCategory> m_categories; ///< of the trace's owners; empty if it has no owners
};

} // namespace headroom::interchange
