// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/SamplingThread.h"
#include "profiling/collectors/nvml/NvmlLibrary.h"
#include "profiling/measurement/Collector.h"

#include <optional>

namespace headroom::collectors::nvml {

/// How the CUDA runtime identifies a device. Its index cannot be used with NVML, which counts in another order.
struct DeviceIdentity {
    std::string uuid; ///< "GPU-…"; empty: unknown
    std::string pciBusId; ///< "0000:3b:00.0"
};

/// NVML's figures for one device at the beginning and the end of a trace and every 20 ms in between. An outer bound:
/// shorter peaks are missed, and the figures themselves change only every 20 to 100 ms.
class NvmlSampler final : public Collector {
public:
    explicit NvmlSampler(DeviceIdentity device, const std::string& libraryPath = NvmlLibrary::path());

    Capability capability() const override;
    void start(std::chrono::steady_clock::time_point origin) override;
    void stop(Capture& capture) override;

private:
    void sample();

    DeviceIdentity m_identity;
    NvmlLibrary m_library;
    DeviceHandle* m_device;
    std::chrono::steady_clock::time_point m_origin;
    std::vector<trace::DeviceSample> m_samples;
    std::optional<SamplingThread> m_thread; ///< last member: it ends before the samples it writes are destroyed
};

/// NVML itself, without a device: whether the library loads and initialises.
Capability nvmlCapability();

} // namespace headroom::collectors::nvml
