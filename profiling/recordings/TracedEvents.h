// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/trace/AllocatorEvent.h"

#include <functional>
#include <span>
#include <vector>

namespace headroom::recordings {

/// The time of what stands for the state before a recording's first event: just before time 0.
inline constexpr std::int64_t kBeforeNs = -1;

/// Passes the recording on as an allocator's trace: first, at kBeforeNs, the segments and blocks that were there before
/// its first event, then its events.
void eachTracedEvent(
    const DeviceRecording& recording, const std::function<void(std::span<const trace::AllocatorEvent>)>& visit);

/// The reverse: a trace, added block by block, as a recording that can be replayed. What it begins with at a time
/// before 0 is the state before its first event.
class RecordedTraceBuilder {
public:
    /// `before`: the counters before these events.
    void add(const trace::MemoryCounters& before, std::span<const trace::AllocatorEvent> events);
    DeviceRecording take();

private:
    DeviceRecording m_recording;
    std::vector<trace::AllocatorEvent> m_before;
    bool m_hasBegun = false;
};

} // namespace headroom::recordings
