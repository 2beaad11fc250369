// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/nvml/NvmlSampler.h"

#include "profiling/collectors/TrialClock.h"

#include "profiling/collectors/nvml/DeviceState.h"

#include <unistd.h>

#include <utility>

namespace headroom::collectors::nvml {
namespace {

constexpr std::chrono::milliseconds kInterval(20);

Capability capabilityOf(const NvmlLibrary& library)
{
    return {"nvml", "memory, utilisation, clocks, power and throttling of the device, and other processes on it",
        library.version(), library.problem()};
}

} // namespace

NvmlSampler::NvmlSampler(DeviceIdentity device, const std::string& libraryPath)
    : m_identity(std::move(device))
    , m_library(libraryPath)
    , m_device(m_library.device(m_identity.uuid, m_identity.pciBusId))
{
}

Capability NvmlSampler::capability() const
{
    Capability capability = capabilityOf(m_library);
    if (capability.isAvailable() && m_device == nullptr)
        capability.reason = "NVML knows no device " + m_identity.uuid + " at " + m_identity.pciBusId
            + ", or only a card that is divided into instances (MIG)";
    return capability;
}

void NvmlSampler::start(std::chrono::steady_clock::time_point origin)
{
    m_origin = origin;
    if (m_device == nullptr)
        return;
    sample();
    m_thread.emplace(kInterval, [this] { sample(); });
}

void NvmlSampler::stop(Capture& capture)
{
    if (!m_thread)
        return;
    m_thread.reset();
    sample();
    for (const trace::DeviceSample& sample : std::exchange(m_samples, {}))
        capture.records.deviceSamples.push_back(sample);
}

void NvmlSampler::sample()
{
    const auto time = TrialClock::now() - m_origin;
    trace::DeviceSample sample = stateOf(m_library.calls(), m_device, static_cast<unsigned>(::getpid()));
    sample.timeNs = std::chrono::nanoseconds(time).count();
    m_samples.push_back(sample);
}

Capability nvmlCapability()
{
    return capabilityOf(NvmlLibrary());
}

} // namespace headroom::collectors::nvml
