// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"

#include <map>
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

} // namespace headroom::collectors::cupti
