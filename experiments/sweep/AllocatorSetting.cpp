// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/AllocatorSetting.h"

#include "core/base/Error.h"
#include "profiling/simulator/AllocatorSettings.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

// Both say how much the allocator may take, and LibTorch follows whichever is set last.
void requireOneLimit(const simulator::AllocatorSettings& settings, std::optional<Bytes> limit, const std::string& where)
{
    if (limit && settings.memoryFraction)
        throw UsageError("per_process_memory_fraction beside a memory limit of " + std::to_string(*limit) + " bytes",
            where, "one of them: device.memory_limit_bytes or the fraction");
}

} // namespace

bool hasAllocatorSettings(const config::DeviceSpec& device)
{
    return device.kind != config::DeviceKind::Cpu && !(device.isSimulated() && device.profile == "cpu");
}

std::string allocatorText(const std::string& given)
{
    std::string text = given;
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
    return text == kDefaultAllocator ? std::string() : text;
}

void requireAllocator(const std::string& settings, const config::DeviceSpec& device,
    std::optional<Bytes> memoryLimitBytes, const std::string& where)
{
    if (settings.empty())
        return;
    if (!hasAllocatorSettings(device))
        throw UsageError(
            "found \"" + settings + "\" for the device " + device.notation() + ", whose allocator has no settings",
            where, "cuda:N, rehearsed and simulated GPUs, or \"default\"");
    const auto owner = device.isSimulated() ? simulator::AllocatorOwner::Simulator : simulator::AllocatorOwner::Cuda;
    requireOneLimit(simulator::parseAllocatorSettings(settings, where, {}, owner), memoryLimitBytes, where);
}

} // namespace headroom::experiments
