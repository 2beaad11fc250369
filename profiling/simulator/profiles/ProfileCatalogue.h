// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/profiles/DeviceProfile.h"
#include "profiling/simulator/profiles/RuntimeProfile.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::config {
struct Trial;
}

namespace headroom::simulator {

/// A device with a runtime: `sim:a100-80gb@torch-2.5`.
struct SimulatedDevice {
    DeviceProfile device;
    RuntimeProfile runtime;
    std::string allocator{}; ///< settings of its allocator as in PYTORCH_ALLOC_CONF; empty: the runtime's
};

/// The device on a platform with the given order of segment addresses; the profile's order if none is given. Throws
/// UsageError at `where` if an order is given for a device without segments.
SimulatedDevice onPlatform(
    SimulatedDevice device, std::optional<config::SegmentAddresses> addresses, const std::string& where);

/// The device with these allocator settings, if there are any. Throws UsageError at `where` if they are invalid, or are
/// given for a device whose allocator has none.
SimulatedDevice withAllocator(SimulatedDevice device, const std::string& settings, const std::string& where);

/// Whether a device's profile is the path of a file and not a name of the catalogue: it has a "/" or ends in ".toml".
bool isProfileFile(const std::string& profile);

/// The device and runtime profiles of a resources directory (its `devices` and `runtimes` folders), by name.
class ProfileCatalogue {
public:
    /// Loads every *.toml. Throws FileError if a folder is missing, and whatever the profiles throw.
    explicit ProfileCatalogue(const std::filesystem::path& resources);

    /// Ordered by name.
    const std::vector<DeviceProfile>& devices() const { return m_devices; }
    const std::vector<RuntimeProfile>& runtimes() const { return m_runtimes; }

    /// The device name that was probably meant ("a100": "a100-40gb"), or empty.
    std::string closestDevice(const std::string& name) const;

    /// Throw UsageError at `where`, listing the closest name and all valid ones.
    const DeviceProfile& device(const std::string& name, const std::string& where = {}) const;
    const RuntimeProfile& runtime(const std::string& name, const std::string& where = {}) const;

    /// "a100-80gb@torch-2.5" or "a100-80gb" (the default runtime), with or without "sim:" or "rehearsal:" in front. In
    /// place of the name the path of a profile's file ("./my-card.toml"), which is read each time. Throws UsageError at
    /// `where`, and what reading the file throws.
    SimulatedDevice parseSimulatedDevice(const std::string& notation, const std::string& where = {}) const;

    /// The device that simulates a trial, on the platform and with the allocator settings that the trial names. Throws
    /// UsageError at the setting.
    SimulatedDevice simulatedDevice(const config::Trial& trial) const;

private:
    DeviceProfile deviceOf(const std::string& profile, const std::string& where) const;

    std::vector<DeviceProfile> m_devices;
    std::vector<RuntimeProfile> m_runtimes;
};

} // namespace headroom::simulator
