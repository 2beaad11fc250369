// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/DeviceFit.h"

#include "core/base/Error.h"
#include "profiling/simulator/devices/Fit.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

std::optional<Bytes> reservedOf(const protocol::MemoryFigures& figures)
{
    return figures.reserved ? figures.reserved : figures.allocated;
}

// The margin is for the order of the profile's platform; the other order is itself a case of what the margin is for.
bool fitsDevice(const simulator::MemoryProfile& device, Bytes heldBytes, Bytes heldInEitherOrder)
{
    const Bytes usable = device.usableBytes.value;
    if (device.contextBytes.value + heldInEitherOrder > usable)
        return false;
    return simulator::fit({.contextBytes = device.contextBytes.value,
                              .reservedBytes = heldBytes,
                              .marginBytes = usable / DeviceFit::kMarginDivisor},
        usable)
        .fits;
}

} // namespace

DeviceFit::DeviceFit(std::filesystem::path resources)
    : m_resources(std::move(resources))
{
}

const simulator::ProfileCatalogue& DeviceFit::catalogue()
{
    if (!m_catalogue)
        m_catalogue.emplace(m_resources);
    return *m_catalogue;
}

const StoredValidations& DeviceFit::validations()
{
    if (!m_validations)
        m_validations.emplace(m_resources);
    return *m_validations;
}

void DeviceFit::requireDevice(const config::DeviceSpec& device, const std::string& where)
{
    if (!device.hasProfile())
        return;
    catalogue().parseSimulatedDevice(device.notation(), where);
    validations(); // one that cannot be read is told before anything is run
}

bool DeviceFit::knows(const config::DeviceSpec& device)
{
    try {
        requireDevice(device, "device.name");
        return true;
    } catch (const UsageError&) {
        return false;
    }
}

// A trial fits only if every part of it does, so the peaks of loading and of the first step count too.
std::optional<Bytes> DeviceFit::heldBytes(const protocol::RepeatMemory& memory)
{
    return std::max({reservedOf(memory.peak), reservedOf(memory.firstStepPeak), reservedOf(memory.afterLoad)});
}

std::optional<Bytes> DeviceFit::heldInOtherOrder(const protocol::RepeatMemory& memory)
{
    return std::max({memory.peak.reservedOtherAddresses, memory.firstStepPeak.reservedOtherAddresses,
        memory.afterLoad.reservedOtherAddresses});
}

std::optional<bool> DeviceFit::fits(const config::Trial& trial, const protocol::RepeatMemory& memory)
{
    const auto held = heldBytes(memory);
    if (!held)
        return std::nullopt;
    const Bytes most = std::max(*held + memory.notCountedHigh(), heldInOtherOrder(memory).value_or(0));
    std::optional<bool> verdict;
    if (trial.memoryLimitBytes)
        verdict = most <= *trial.memoryLimitBytes;
    if (!trial.device.hasProfile())
        return verdict;
    const auto& profile = catalogue().parseSimulatedDevice(trial.device.notation()).device.memory;
    return profile ? verdict.value_or(true) && fitsDevice(*profile, *held, most) : verdict;
}

std::optional<double> DeviceFit::peakFlops(const std::string& device)
{
    const config::DeviceSpec spec = config::parseDevice(device, "device.name");
    if (!spec.hasProfile())
        return std::nullopt;
    const auto& speed = catalogue().parseSimulatedDevice(device).device.speed;
    std::optional<double> highest;
    if (speed)
        for (const auto& flops : speed->peakFlops)
            if (flops)
                highest = std::max(highest.value_or(0), flops->value);
    return highest;
}

std::optional<ErrorBound> DeviceFit::errorBound(const TrialResult& trial)
{
    return trial.isPredicted ? validations().errorBound(trial) : std::nullopt;
}

std::optional<bool> DeviceFit::fitsIfKnown(const config::Trial& trial, const protocol::RepeatMemory& memory)
{
    return knows(trial.device) ? fits(trial, memory) : std::nullopt;
}

std::optional<Bytes> DeviceFit::usableBytes(const config::DeviceSpec& device)
{
    if (!device.hasProfile() || !knows(device))
        return std::nullopt;
    const auto& profile = catalogue().parseSimulatedDevice(device.notation()).device.memory;
    return profile ? std::optional(profile->usableBytes.value) : std::nullopt;
}

} // namespace headroom::experiments
