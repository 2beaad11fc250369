// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/SamplingThread.h"
#include "profiling/measurement/Collector.h"

#include <functional>
#include <optional>

namespace headroom::collectors {

/// Resident and pinned bytes of this process, at the begin and the end of a trace and every 10 ms in between. Sampled:
/// shorter peaks are missed.
class HostSampler final : public Collector {
public:
    /// Bytes that are pinned right now; called on the sampler's thread and on the trial's.
    using PinnedBytes = std::function<std::optional<Bytes>()>;

    /// Null: nothing can be pinned here.
    explicit HostSampler(PinnedBytes pinnedBytes = nullptr);

    Capability capability() const override;
    void start(std::chrono::steady_clock::time_point origin) override;
    void stop(Capture& capture) override;

private:
    void sample();

    PinnedBytes m_pinnedBytes;
    std::chrono::steady_clock::time_point m_origin;
    std::vector<trace::HostSample> m_samples;
    std::optional<SamplingThread> m_thread; ///< last: it ends before the samples do, which are its own while it runs
};

} // namespace headroom::collectors
