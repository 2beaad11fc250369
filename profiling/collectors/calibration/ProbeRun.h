// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/calibration/CalibrationListener.h"
#include "profiling/collectors/calibration/RateSurvey.h"

namespace headroom::collectors {

/// 7 batches of 4 ms, or in short 3 of 0.5 ms.
TimingEffort timingEffort(protocol::CalibrationEffort effort);

/// The rates of all probes, products first. Tells the listener of each; throws Cancelled.
std::vector<protocol::CalibratedRates> measureRates(
    const ProbeScope& scope, DeviceTimer& timer, CalibrationListener& listener);

/// The constants of [speed] that follow from rates: peaks, bandwidth, the shortest op, and fractions of 1, as rates
/// were measured and not derived from peaks.
std::vector<protocol::CalibratedConstant> constantsOf(const std::vector<protocol::CalibratedRates>& rates);

} // namespace headroom::collectors
