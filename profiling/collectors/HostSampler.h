// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/SamplingThread.h"
#include "profiling/measurement/Collector.h"

#include <functional>
#include <optional>

namespace headroom::collectors {

/// Resident and pinned bytes of this process, sampled at the beginning and the end of a trace and every 10 ms in
/// between. Shorter peaks are missed.
class HostSampler final : public Collector {
public:
    /// Bytes that are pinned right now; called on the sampler's thread and on the trial's.
    using PinnedBytes = std::function<std::optional<Bytes>()>;

    /// Null: this process cannot pin memory.
    explicit HostSampler(PinnedBytes pinnedBytes = nullptr);

    Capability capability() const override;
    void start(std::chrono::steady_clock::time_point origin) override;
    void stop(Capture& capture) override;

private:
    void sample();

    PinnedBytes m_pinnedBytes;
    std::chrono::steady_clock::time_point m_origin;
    std::vector<trace::HostSample> m_samples;
    std::optional<SamplingThread> m_thread; ///< last member: it ends before the samples it writes are destroyed
};

} // namespace headroom::collectors
