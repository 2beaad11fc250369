// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/cupti/MarkerRanges.h"
#include "profiling/collectors/cupti/RecordFields.h"
#include "profiling/collectors/cupti/RecordSizes.h"

#include <map>
#include <span>
#include <string>

namespace headroom::collectors::cupti {

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
