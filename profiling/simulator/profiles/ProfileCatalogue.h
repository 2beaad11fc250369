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

/// Hardware times runtime: what `sim:a100-80gb@torch-2.5` names.
struct SimulatedDevice {
    DeviceProfile device;
    RuntimeProfile runtime;
};

/// The device on a platform of the given order of segments' addresses; as its profile has it where none is given.
/// Throws UsageError at `where` for an order that a device without segments is given.
SimulatedDevice onPlatform(
    SimulatedDevice device, std::optional<config::SegmentAddresses> addresses, const std::string& where);

/// The device and runtime profiles of a resources directory (its `devices` and `runtimes` folders), by name.
class ProfileCatalogue {
public:
    /// Loads every *.toml. Throws FileError when a folder is missing, and what the profiles throw.
    explicit ProfileCatalogue(const std::filesystem::path& resources);

    /// In order of name.
    const std::vector<DeviceProfile>& devices() const { return m_devices; }
    const std::vector<RuntimeProfile>& runtimes() const { return m_runtimes; }

    /// The device whose name was probably meant ("a100": "a100-40gb"), or empty.
    std::string closestDevice(const std::string& name) const;

    /// Throw UsageError at `where`, with the closest and all names there are.
    const DeviceProfile& device(const std::string& name, const std::string& where = {}) const;
    const RuntimeProfile& runtime(const std::string& name, const std::string& where = {}) const;

    /// "a100-80gb@torch-2.5" or "a100-80gb" (the default runtime), with or without "sim:" in front.
    /// Throws UsageError at `where`.
    SimulatedDevice parseSimulatedDevice(const std::string& notation, const std::string& where = {}) const;

    /// What a trial is simulated on: its device, on the platform that it asks for. Throws UsageError at the setting.
    SimulatedDevice simulatedDevice(const config::Trial& trial) const;

private:
    std::vector<DeviceProfile> m_devices;
    std::vector<RuntimeProfile> m_runtimes;
};

} // namespace headroom::simulator
