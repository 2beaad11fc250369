// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/Calibration.h"

#include "core/base/Error.h"
#include "core/config/DeviceSpec.h"
#include "core/tensor/DeviceContext.h"
#include "profiling/collectors/calibration/CpuCalibration.h"
#include "profiling/collectors/calibration/CudaCalibration.h"

#include <chrono>

namespace headroom::collectors {

protocol::Calibration calibrate(const protocol::CalibrationRequest& request, CalibrationListener& listener)
{
    const config::DeviceSpec device = config::parseDevice(request.device, "--device");
    if (!device.computes())
        throw UsageError(
            "found " + request.device + ", and only a real device can be measured", "--device", "cpu, cuda:N");
    const auto begin = std::chrono::steady_clock::now();
    protocol::Calibration calibration = device.kind == config::DeviceKind::Cpu
        ? calibrateCpu(request.effort, listener)
        : calibrateCuda(device.index, request.effort, listener);
    calibration.torchVersion = tensor::torchVersion();
    calibration.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return calibration;
}

} // namespace headroom::collectors
