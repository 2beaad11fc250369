// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"
#include "profiling/collectors/calibration/DeviceTimer.h"

namespace headroom::collectors {

/// Times what a GPU does on the default stream of its device, by events of the driver.
///
/// Before each batch the stream is kept busy for longer than the host needs to enqueue the batch, so that the events
/// enclose the kernels alone, also where these are shorter than their launches.
class CudaTimer final : public DeviceTimer {
public:
    /// The device is open and current. Throws TrialError if the driver refuses events.
    explicit CudaTimer(c10::Device device);
    ~CudaTimer() override;
    CudaTimer(const CudaTimer&) = delete;
    CudaTimer& operator=(const CudaTimer&) = delete;

    Timing time(const Program& program, const TimingEffort& effort) override;

    /// The host's time to enqueue one call, the stream being busy.
    Timing hostTime(const Program& program, int batches);

    /// Keeps the device busy until its clocks have risen.
    void warmUp(double seconds);

private:
    /// The driver's event, opaque here.
    using Event = void*;

    double batchSeconds(const Program& program, int calls, double hostSeconds);
    double fillerSeconds();
    void fill(double seconds);
    double secondsBetweenEvents() const;

    at::Tensor m_factor;
    at::Tensor m_product;
    Event m_begin = nullptr;
    Event m_end = nullptr;
    double m_fillerSeconds = 0;
};

} // namespace headroom::collectors
