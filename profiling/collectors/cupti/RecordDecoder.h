// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/cupti/RecordFields.h"
#include "profiling/trace/DeviceRecords.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace headroom::collectors::cupti {

/// Joins the two ends of NVTX ranges, which arrive in any order, by id. Ids are reused once they wrap.
class MarkerRanges {
public:
    void begin(trace::MarkerRecord range);
    void end(std::uint32_t id, std::int64_t timeNs);
    void mark(trace::MarkerRecord mark);

    /// The records that are complete by now; each is returned once.
    std::vector<trace::MarkerRecord> takeComplete();
    /// Also the ranges that never ended (`endNs` -1). Must be the last call.
    std::vector<trace::MarkerRecord> takeAll();

    /// Range ends without a begin so far: of ranges that began before the capture.
    std::int64_t endsWithoutBegin() const { return static_cast<std::int64_t>(m_ends.size()) + m_replacedEnds; }

private:
    std::map<std::uint32_t, trace::MarkerRecord> m_open;
    std::map<std::uint32_t, std::int64_t> m_ends;
    std::vector<trace::MarkerRecord> m_complete;
    std::int64_t m_replacedEnds = 0;
};

/// How large a CUPTI library's activity records are, by kind (CUpti_ActivityKind).
///
/// Between versions records only grow at their end, and the library decides which version it writes: a record may be
/// read as a struct only if the library's record is at least as large.
class RecordSizes {
public:
    explicit RecordSizes(std::map<std::uint32_t, std::size_t> bytes)
        : m_bytes(std::move(bytes))
    {
    }

    /// The sizes of the linked library, found by letting it step over records; no driver is needed.
    static RecordSizes ofLibrary();

    /// 0 for a kind that the library cannot step over.
    std::size_t of(std::uint32_t kind) const;

private:
    std::map<std::uint32_t, std::size_t> m_bytes;
};

/// What the buffers contained beside the decoded records.
struct DecodeCounts {
    std::int64_t records = 0; ///< all records that could be stepped over
    std::int64_t lostTimes = 0; ///< spans from 0 to 0: CUPTI's device buffers were full
    std::int64_t unfinished = 0; ///< spans with a begin but no end
    std::map<std::uint32_t, std::int64_t> unknownKinds{}; ///< complete records of kinds that are not decoded, by kind
    std::int64_t smallRecords = 0; ///< of a library older than the headers; not decoded, as fields would be missing
    Bytes unreadableBytes = 0; ///< after a record that the library cannot step over, or of a truncated record

    bool operator==(const DecodeCounts&) const = default;
};

/// Decodes CUPTI's activity buffers into records. Needs the CUPTI library, but neither driver nor capture: any buffer
/// written in the library's own version will do. For one thread.
class RecordDecoder {
public:
    RecordDecoder(const StampAxis& axis, RecordSizes sizes);

    /// Adds the records of a buffer's valid bytes to `records`. Frees what the records own, so a buffer is decoded only
    /// once.
    void decode(std::span<std::uint8_t> valid, trace::DeviceRecords& records);
    /// Adds the ranges that never ended. Must be the last call.
    void finish(trace::DeviceRecords& records);

    const DecodeCounts& counts() const { return m_counts; }
    std::int64_t markerEndsWithoutBegin() const { return m_markers.endsWithoutBegin(); }

private:
    void add(CUpti_Activity& activity, trace::DeviceRecords& records);
    template <typename Activity, typename Record> void addSpan(CUpti_Activity& activity, std::vector<Record>& records);
    template <typename Activity> const Activity* as(const CUpti_Activity& activity);
    void addMarker(const CUpti_Activity& activity);
    void addCall(const CUpti_Activity& activity, trace::DeviceRecords& records);
    void addOverhead(CUpti_Activity& activity, trace::DeviceRecords& records);
    void releaseName(CUpti_Activity& activity);
    const std::string& nameOf(const trace::ApiRecord& call);

    StampAxis m_axis;
    RecordSizes m_sizes;
    MarkerRanges m_markers;
    DecodeCounts m_counts;
    std::map<std::pair<bool, std::uint32_t>, std::string> m_callNames;
};

} // namespace headroom::collectors::cupti
