// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/SegmentHistory.h"
#include "profiling/store/workspace/Workspace.h"
#include "ui/segments/SegmentMoment.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace headroom::ui {

/// Reads the segments of one trace at a time through a connection of its own. Made, used and destroyed on one
/// background thread. Throws the store's errors.
class SegmentArchive {
public:
    /// Reads the trace once, unless it is the one that was read last. Null if a stop was requested.
    SegmentTracePtr open(
        const SegmentSubject& subject, const std::stop_token& stop, const std::function<void(double)>& progress);
    /// Of the opened trace, which is not missing.
    SegmentMomentPtr after(std::uint64_t events);
    /// After all events up to and including a time since the start of the trace.
    SegmentMomentPtr at(std::int64_t timeNs);

private:
    std::string whatIsMissing(const SegmentSubject& subject, std::int64_t& repeat);

    std::optional<store::Workspace> m_workspace;
    std::optional<store::SegmentHistory> m_history;
    SegmentTracePtr m_trace;
};

} // namespace headroom::ui
