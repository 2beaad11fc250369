// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/DeviceFit.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/results/OrderedJson.h"
#include "profiling/simulator/devices/Fit.h"

#include <algorithm>
#include <fstream>

namespace headroom::experiments {
namespace {

constexpr const char* kFolder = "validations";
constexpr const char* kValidationSchema = "headroom.validation/1";
constexpr const char* kValidDocument = "what headroom validate --output FILE.json writes";

OrderedJson documentIn(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw FileError("cannot be read", file.string());
    OrderedJson document = OrderedJson::parse(stream);
    if (const OrderedJson schema = document.at("schema"); schema != kValidationSchema)
        throw FileError("schema: found " + schema.dump(), file.string(), kValidationSchema);
    return document;
}

// The quantile that the bound is.
std::optional<double> boundOf(const OrderedJson& quantiles, const char* figure)
{
    const OrderedJson& errors = quantiles.at(figure);
    return errors.is_null() ? std::nullopt : std::optional(errors.at("abs_p95").get<double>());
}

std::string basisOf(const OrderedJson& document, const std::string& file)
{
    const OrderedJson& torch = document.at("environment").at("libtorch_version");
    return percentText(kErrorBoundShare) + " of " + counted(std::ssize(document.at("rows")), "trial") + " on "
        + document.at("device").get<std::string>()
        + (torch.is_null() ? std::string() : ", LibTorch " + torch.get<std::string>()) + ", "
        + document.at("date").get<std::string>() + ", " + kFolder + "/" + file;
}

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

StoredValidations::StoredValidations(const std::filesystem::path& resources)
{
    const std::filesystem::path folder = resources / kFolder;
    if (!std::filesystem::is_directory(folder))
        return;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".json")
            m_validations.push_back(read(entry.path()));
}

StoredValidations::Validation StoredValidations::read(const std::filesystem::path& file)
{
    try {
        const OrderedJson document = documentIn(file);
        const OrderedJson& quantiles = document.at("quantiles");
        return {document.at("against").get<std::string>(), document.at("date").get<std::string>(),
            {boundOf(quantiles, "allocated_rel"), boundOf(quantiles, "reserved_rel"), boundOf(quantiles, "step_rel"),
                basisOf(document, file.filename().string())}};
    } catch (const OrderedJson::exception& error) {
        throw FileError(error.what(), file.string(), kValidDocument);
    }
}

std::optional<ErrorBound> StoredValidations::errorBound(const TrialResult& trial) const
{
    const bool hasFigures = trial.outcome == Outcome::Completed || trial.outcome == Outcome::OutOfMemory;
    if (!trial.isPredicted || !hasFigures)
        return std::nullopt;
    const Validation* newest = nullptr;
    for (const Validation& validation : m_validations)
        if (validation.device == trial.deviceNotation() && (newest == nullptr || newest->date < validation.date))
            newest = &validation;
    return newest == nullptr ? std::nullopt : std::optional(newest->bound);
}

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
