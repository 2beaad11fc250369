// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/DeviceSpec.h"
#include "core/config/Field.h"
#include "core/config/catalogue/Configuration.h"
#include "profiling/simulator/AllocatorSettings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace headroom::simulator {

namespace {

template <typename Profile> std::vector<Profile> loadAll(const std::filesystem::path& folder)
{
    if (!std::filesystem::is_directory(folder))
        throw FileError("a folder of profiles is missing", folder.string(), "a folder with *.toml files");
    std::vector<Profile> profiles;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".toml")
            profiles.push_back(Profile::load(entry.path()));
    }
    std::sort(profiles.begin(), profiles.end(), [](const Profile& a, const Profile& b) { return a.name < b.name; });
    return profiles;
}

template <typename Profile> std::vector<std::string> namesOf(const std::vector<Profile>& profiles)
{
    std::vector<std::string> names;
    for (const Profile& profile : profiles)
        names.push_back(profile.name);
    return names;
}

// A name that contains the given text is closer than one that differs in letters. A text that is too short may mean
// anything.
std::string closestOf(const std::vector<std::string>& names, std::string name)
{
    constexpr std::size_t kShort = 4;
    std::transform(
        name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name.size() < kShort)
        return {};
    const auto longer = std::find_if(
        names.begin(), names.end(), [&](const std::string& n) { return n.find(name) != std::string::npos; });
    return longer == names.end() ? config::closestName(name, names) : *longer;
}

template <typename Profile>
const Profile& find(const std::vector<Profile>& profiles, const char* kind, const std::string& name,
    const std::string& where, const std::string& prefix = {}) // of a name as people write it
{
    for (const Profile& profile : profiles)
        if (profile.name == name)
            return profile;
    const std::vector<std::string> names = namesOf(profiles);
    const std::string closest = closestOf(names, name);
    const std::string meant = closest.empty() ? "" : prefix + closest;
    throw UsageError(fmt::format("unknown {} profile '{}'{}", kind, name, didYouMean(meant)), where,
        fmt::format("{}", fmt::join(names, ", ")));
}

} // namespace

ProfileCatalogue::ProfileCatalogue(const std::filesystem::path& resources)
    : m_devices(loadAll<DeviceProfile>(resources / "devices"))
    , m_runtimes(loadAll<RuntimeProfile>(resources / "runtimes"))
{
}

std::string ProfileCatalogue::closestDevice(const std::string& name) const
{
    const std::vector<std::string> names = namesOf(m_devices);
    return std::find(names.begin(), names.end(), name) == names.end() ? closestOf(names, name) : name;
}

const DeviceProfile& ProfileCatalogue::device(const std::string& name, const std::string& where) const
{
    return find(m_devices, "device", name, where, "sim:");
}

const RuntimeProfile& ProfileCatalogue::runtime(const std::string& name, const std::string& where) const
{
    return find(m_runtimes, "runtime", name, where);
}

SimulatedDevice onPlatform(
    SimulatedDevice device, std::optional<config::SegmentAddresses> addresses, const std::string& where)
{
    if (!addresses)
        return device;
    if (device.device.kind != AllocatorKind::Caching)
        throw UsageError(fmt::format("sim:{} has no segments", device.device.name), where, "simulated GPUs");
    device.device.segmentAddresses = *addresses;
    return device;
}

SimulatedDevice withAllocator(SimulatedDevice device, const std::string& settings, const std::string& where)
{
    if (settings.empty())
        return device;
    if (device.device.kind != AllocatorKind::Caching)
        throw UsageError(
            fmt::format("sim:{} has an allocator without settings", device.device.name), where, "simulated GPUs");
    parseAllocatorSettings(settings, where, device.runtime.allocatorSettings());
    device.allocator = settings;
    return device;
}

bool isProfileFile(const std::string& profile)
{
    return profile.ends_with(".toml") || profile.find('/') != std::string::npos;
}

DeviceProfile ProfileCatalogue::deviceOf(const std::string& profile, const std::string& where) const
{
    if (!isProfileFile(profile))
        return device(profile, where);
    if (!std::filesystem::is_regular_file(profile))
        throw UsageError(fmt::format("there is no device profile '{}'", profile), where,
            "a file of headroom calibrate, or the name of a profile: "
                + fmt::format("{}", fmt::join(namesOf(m_devices), ", ")));
    return DeviceProfile::load(profile);
}

SimulatedDevice ProfileCatalogue::parseSimulatedDevice(const std::string& notation, const std::string& where) const
{
    const bool hasPrefix = notation.starts_with("sim:") || notation.starts_with("rehearsal:");
    const config::DeviceSpec spec = config::parseDevice(hasPrefix ? notation : "sim:" + notation, where);
    return {deviceOf(spec.profile, where), runtime(spec.runtime, where)};
}

SimulatedDevice ProfileCatalogue::simulatedDevice(const config::Trial& trial) const
{
    SimulatedDevice device = onPlatform(parseSimulatedDevice(trial.device.notation(), "device.name"),
        trial.segmentAddresses, "device.segment_addresses");
    return withAllocator(std::move(device), trial.allocator, "device.allocator");
}

} // namespace headroom::simulator
