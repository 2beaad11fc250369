// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/MeasuredCard.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace headroom::cli {

namespace {

// Drivers keep up to some percent of a card for themselves; the next smaller card has a fifth less.
constexpr double kSameMemory = 0.05;

bool isSameMemory(Bytes measured, const simulator::MemoryProfile& memory)
{
    const auto isNear = [measured](Bytes bytes) {
        return std::abs(static_cast<double>(measured - bytes)) <= kSameMemory * static_cast<double>(bytes);
    };
    return isNear(memory.usableBytes.value) || isNear(memory.totalBytes.value);
}

std::string capabilityText(const simulator::ComputeCapability& capability)
{
    return fmt::format("{}.{}", capability.major, capability.minor);
}

} // namespace

MeasuredCard MeasuredCard::find(const protocol::WorkerDescription& machine, const config::DeviceSpec& device)
{
    if (!machine.cudaUsable.value_or(false))
        throw TrialError("CUDA cannot be used: " + machine.cudaReason, device.name());
    std::vector<std::string> names;
    for (const protocol::Json& card : machine.details.value("cuda_devices", protocol::Json::array())) {
        if (card.at("name") == device.name())
            return {card.at("title").get<std::string>(), card.value("total_bytes", Bytes{0}),
                card.value("compute_capability", std::string())};
        names.push_back(card.at("name").get<std::string>());
    }
    throw UsageError("found " + device.name() + ", which this machine does not have", "--device", joined(names));
}

std::string differencesBetween(const MeasuredCard& card, const simulator::DeviceProfile& profile)
{
    std::vector<std::string> differences;
    if (profile.compute && !card.computeCapability.empty()) {
        const std::string predicted = capabilityText(profile.compute->capability.value);
        if (predicted != card.computeCapability)
            differences.push_back(
                fmt::format("compute capability {} measured, {} predicted", card.computeCapability, predicted));
    }
    if (profile.memory && card.totalBytes > 0 && !isSameMemory(card.totalBytes, *profile.memory))
        differences.push_back(fmt::format("{} of memory measured, {} predicted", sizeText(card.totalBytes),
            sizeText(profile.memory->usableBytes.value)));
    return joined(differences);
}

} // namespace headroom::cli
