// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/HostSampler.h"

#include "profiling/measurement/HostProcess.h"

#include <utility>

namespace headroom::collectors {
namespace {

constexpr std::chrono::milliseconds kInterval(10);

} // namespace

HostSampler::HostSampler(PinnedBytes pinnedBytes)
    : m_pinnedBytes(std::move(pinnedBytes))
{
}

Capability HostSampler::capability() const
{
    Capability capability{
        "host_memory", "resident bytes of the process, and pinned ones where a GPU is used", "/proc/self", ""};
    if (!sampledResidentBytes())
        capability.reason = "/proc/self/statm cannot be read";
    return capability;
}

void HostSampler::start(std::chrono::steady_clock::time_point origin)
{
    m_origin = origin;
    sample();
    m_thread.emplace(kInterval, [this] { sample(); });
}

void HostSampler::stop(Capture& capture)
{
    if (!m_thread)
        return;
    m_thread.reset();
    sample();
    for (const trace::HostSample& sample : std::exchange(m_samples, {}))
        capture.records.hostSamples.push_back(sample);
}

void HostSampler::sample()
{
    trace::HostSample sample;
    sample.timeNs = std::chrono::nanoseconds(std::chrono::steady_clock::now() - m_origin).count();
    sample.residentBytes = sampledResidentBytes();
    if (m_pinnedBytes)
        sample.pinnedBytes = m_pinnedBytes();
    m_samples.push_back(sample);
}

} // namespace headroom::collectors
