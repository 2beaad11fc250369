// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Calibration.h"
#include "profiling/collectors/calibration/CalibrationListener.h"

namespace headroom::collectors {

/// Measures an NVIDIA GPU. Others should leave it alone meanwhile: their memory would count as the context's where NVML
/// does not tell it apart. Throws TrialError when the device cannot be used.
protocol::Calibration calibrateCuda(int index, protocol::CalibrationEffort effort, CalibrationListener& listener);

} // namespace headroom::collectors
