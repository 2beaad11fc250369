// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaCapture.h"

#include "core/tensor/Torch.h"
#include "profiling/collectors/HostSampler.h"
#include "profiling/collectors/cuda/CudaRuntime.h"
#include "profiling/collectors/nvml/NvmlSampler.h"

#include <ATen/core/CachingHostAllocator.h>

namespace headroom::collectors {
namespace {

std::optional<Bytes> pinnedBytes()
{
    return static_cast<Bytes>(at::getHostAllocator(at::kCUDA)->get_stats().allocated_bytes.current);
}

} // namespace

CudaCapture::CudaCapture(int device, CaptureDepth depth, std::chrono::steady_clock::time_point origin)
    : m_depth(depth)
    , m_origin(origin)
    , m_activity(origin)
{
    const CudaDeviceNames names = namesOf(device);
    m_samplers.push_back(std::make_unique<nvml::NvmlSampler>(nvml::DeviceIdentity{names.uuid, names.pciBusId}));
    m_samplers.push_back(std::make_unique<HostSampler>(pinnedBytes));
}

void CudaCapture::pause(const OutsideBytes& outside)
{
    if (!m_activity.problem().empty())
        return;
    m_activity.pause();
    m_outsideAtPause = outside();
}

// A timed step of a warm process takes no memory from the driver. If one did, CUPTI has not recorded it.
void CudaCapture::resume(const OutsideBytes& outside)
{
    if (!m_outsideAtPause)
        return;
    if (const Bytes change = outside() - *m_outsideAtPause; change != 0)
        note("device memory outside LibTorch changed by " + std::to_string(change)
            + " bytes while steps were timed, which CUPTI does not look at");
    m_outsideAtPause.reset();
    m_activity.resume();
}

void CudaCapture::start(const OutsideBytes& outside)
{
    const Bytes before = outside();
    m_activity.beginPass(m_depth == CaptureDepth::Kernels ? cupti::Depth::Kernels : cupti::Depth::Transfers);
    if (const Bytes taken = outside() - before; taken > 0)
        note("CUPTI keeps " + std::to_string(taken) + " bytes of the device's memory for itself during the trace");
    for (const auto& sampler : m_samplers)
        sampler->start(m_origin);
}

Capture CudaCapture::stop()
{
    Capture capture = m_activity.finish();
    for (const auto& sampler : m_samplers)
        sampler->stop(capture);
    m_notes.insert(m_notes.begin(), levelSentence());
    capture.diagnostics.insert(capture.diagnostics.begin(), m_notes.begin(), m_notes.end());
    return capture;
}

// The level that this trace reached, and why not a higher one.
std::string CudaCapture::levelSentence() const
{
    const std::string& problem = m_activity.problem();
    const std::string noKernels = "kernels are captured on request (--trace-kernels)";
    std::vector<Capability> had{{"cuda_allocator", "", "", ""}, {"cupti_memory", "", "", problem},
        {"cupti_kernels", "", "", m_depth == CaptureDepth::Kernels ? problem : noKernels}};
    for (const auto& sampler : m_samplers)
        had.push_back(sampler->capability());
    const CaptureLevel level = captureLevelOf(had);
    std::string sentence = "capture " + std::string(toText(level)) + ": " + std::string(meaningOf(level));
    for (const Capability& capability : had)
        if (!capability.isAvailable() && capability.name != "cupti_kernels")
            sentence += "; no " + capability.name + ", as " + capability.reason;
    return sentence;
}

} // namespace headroom::collectors
