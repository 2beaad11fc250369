// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Calibration.h"
#include "profiling/collectors/calibration/DeviceTimer.h"
#include "profiling/collectors/calibration/RateProbes.h"
#include "profiling/collectors/simulated/OpCostCollector.h"

namespace headroom::collectors {

/// The ops that a program runs on this thread, views included, as the simulator counts them.
std::vector<simulator::OpCost> costsOf(const std::function<void()>& program);

/// Measures the rates of probes: the size of each call is what the simulator's own collector counts in it.
class RateSurvey {
public:
    /// `timer` is borrowed.
    RateSurvey(DeviceTimer& timer, const TimingEffort& effort);

    /// Ends with the sizes where a call takes too long or the device has no memory for it. Throws TrialError if not
    /// even the smallest could be measured.
    protocol::CalibratedRates ratesOf(const RateProbe& probe);

private:
    bool addPoint(const RateProbe& probe, std::int64_t size, protocol::CalibratedRates& rates);

    DeviceTimer& m_timer;
    TimingEffort m_effort;
};

/// The rate of the largest size; nullopt if there is no such table.
std::optional<protocol::CalibratedPoint> largestOf(
    const std::vector<protocol::CalibratedRates>& rates, simulator::Work work, simulator::MathType type);
/// The highest rate at any size.
std::optional<protocol::CalibratedPoint> fastestOf(
    const std::vector<protocol::CalibratedRates>& rates, simulator::Work work, simulator::MathType type);

} // namespace headroom::collectors
