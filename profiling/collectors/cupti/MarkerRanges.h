// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"

#include <map>
#include <vector>

namespace headroom::collectors::cupti {

/// Joins the two sides of NVTX ranges, which arrive in any order, by their id. Ids are used again once they wrap.
class MarkerRanges {
public:
    void begin(trace::MarkerRecord range);
    void end(std::uint32_t id, std::int64_t timeNs);
    void mark(trace::MarkerRecord mark);

    /// What is complete by now, each once.
    std::vector<trace::MarkerRecord> takeComplete();
    /// Those too that never ended (`endNs` -1). Nothing may follow.
    std::vector<trace::MarkerRecord> takeAll();

    /// Ends that so far have no begin: of ranges that began before the capture.
    std::int64_t endsWithoutBegin() const { return static_cast<std::int64_t>(m_ends.size()) + m_replacedEnds; }

private:
    std::map<std::uint32_t, trace::MarkerRecord> m_open;
    std::map<std::uint32_t, std::int64_t> m_ends;
    std::vector<trace::MarkerRecord> m_complete;
    std::int64_t m_replacedEnds = 0;
};

} // namespace headroom::collectors::cupti
