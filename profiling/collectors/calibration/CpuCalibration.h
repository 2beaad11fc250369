// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Calibration.h"
#include "profiling/collectors/calibration/CalibrationListener.h"

namespace headroom::collectors {

/// Measures the processor with the threads that trials have. Ops run under the instruments of a trial, and their
/// results lie in memory that the process has touched before: what fresh memory costs is a figure of its own.
protocol::Calibration calibrateCpu(protocol::CalibrationEffort effort, CalibrationListener& listener);

} // namespace headroom::collectors
