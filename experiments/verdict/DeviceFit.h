// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/protocol/RepeatResult.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Judges whether what a trial needed fits its device: the profiles of simulated devices and memory limits.
class DeviceFit {
public:
    /// Part of a device's usable memory that is kept free: a choice, not a measurement. Other processes and the driver
    /// take and return memory while a program runs, and predictions have an error.
    static constexpr Bytes kMarginDivisor = 64;

    /// The profiles are read when the first simulated device is asked for.
    explicit DeviceFit(std::filesystem::path resources);

    /// Throws UsageError at `where`, with the names there are, for a simulated device without a profile.
    void requireDevice(const config::DeviceSpec& device, const std::string& where);

    /// Whether there is a profile for the device, or it needs none.
    bool knows(const config::DeviceSpec& device);

    /// What a trial held of its device at most, reserved where the device reserves; what ran before its own steps (a
    /// baseline whose output is kept) does not count.
    static std::optional<Bytes> heldBytes(const protocol::RepeatMemory& memory);

    /// The memory limit, where there is one, against the reserved peak of the whole run (allocated, where the device
    /// does not reserve); for a simulated device also context, reserved and margin against the usable memory. Nothing
    /// where neither is known.
    std::optional<bool> fits(const config::Trial& trial, const protocol::RepeatMemory& memory);
    /// The same; nothing for a simulated device whose profile is not here (a workspace from another machine).
    std::optional<bool> fitsIfKnown(const config::Trial& trial, const protocol::RepeatMemory& memory);

    /// Memory of a simulated device that programs can use; nothing where that is not known.
    std::optional<Bytes> usableBytes(const config::DeviceSpec& device);

    /// Most operations per second in any arithmetic, of a simulated device whose profile states speeds.
    std::optional<double> peakFlops(const std::string& device);

private:
    const simulator::ProfileCatalogue& catalogue();

    std::filesystem::path m_resources;
    std::optional<simulator::ProfileCatalogue> m_catalogue;
};

} // namespace headroom::experiments
