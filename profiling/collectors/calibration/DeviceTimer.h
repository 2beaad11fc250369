// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

namespace headroom::collectors {

/// The median of several batches of calls.
struct Timing {
    double seconds = 0; ///< of one call
    double spread = 0; ///< interquartile range of the batches, relative to the median
};

/// Throws nothing for one sample; at least one is needed.
Timing timingOf(std::vector<double> secondsOfCall);

/// How long to look at one program.
struct TimingEffort {
    int batches = 7;
    double batchSeconds = 4e-3; ///< calls are repeated until a batch takes this long
    double mostSeconds = 0.4; ///< of all batches together, but three are always measured
};

/// Measures how long a program takes on a device.
class DeviceTimer {
public:
    using Program = std::function<void()>;

    virtual ~DeviceTimer() = default;
    /// Calls it once unmeasured, then in batches.
    virtual Timing time(const Program& program, const TimingEffort& effort) = 0;
};

/// For a device that computes inline: the clock of the system around each batch.
class HostTimer final : public DeviceTimer {
public:
    Timing time(const Program& program, const TimingEffort& effort) override;
};

/// Calls that make a batch of the effort's duration; at least one.
int callsOfBatch(double secondsOfCall, const TimingEffort& effort, int most);
/// Batches within the effort's duration; at least three.
int batchesOf(double secondsOfBatch, const TimingEffort& effort);

} // namespace headroom::collectors
