// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/protocol/RepeatResult.h"
#include "experiments/results/TrialResult.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What the validations of an installation say about the error of predictions: the documents that `headroom validate
/// --output` wrote into the folder `validations` of its resources.
class StoredValidations {
public:
    /// Without such a folder there are none. Throws FileError, naming file and key, for a file that is none of these
    /// documents.
    explicit StoredValidations(const std::filesystem::path& resources);

    /// The bound of the newest validation of the trial's device with its runtime; nullopt if there is none, and for a
    /// trial that was measured or has no figures.
    std::optional<ErrorBound> errorBound(const TrialResult& trial) const;

private:
    struct Validation {
        std::string device; ///< that was simulated, with its runtime
        std::string date;
        ErrorBound bound;
    };

    static Validation read(const std::filesystem::path& file);

    std::vector<Validation> m_validations;
};

/// Judges whether a trial's memory fits its device, from the profiles of simulated devices and from memory limits, and
/// says how far such predictions are known to be off.
class DeviceFit {
public:
    /// The usable memory divided by this number is kept free. The number is a choice, not a measurement: other
    /// processes and the driver take and return memory while a program runs, and predictions have an error.
    static constexpr Bytes kMarginDivisor = 64;

    /// The profiles are read on the first query for a simulated device.
    explicit DeviceFit(std::filesystem::path resources);

    /// Throws UsageError at `where`, listing the known names, for a simulated device without a profile; FileError if a
    /// stored validation cannot be read.
    void requireDevice(const config::DeviceSpec& device, const std::string& where);

    /// Whether the device has a profile or needs none.
    bool knows(const config::DeviceSpec& device);

    /// The most device memory that a trial held: reserved memory if the device's allocator reserves. What ran before
    /// the trial's own steps (a baseline whose output is kept) does not count.
    static std::optional<Bytes> heldBytes(const protocol::RepeatMemory& memory);

    /// The same of a predicted trial, had the driver put segments in the other order of addresses: the order is its
    /// choice, so a trial has to fit in both. nullopt: not predicted.
    static std::optional<Bytes> heldInOtherOrder(const protocol::RepeatMemory& memory);

    /// Compares the memory limit, if there is one, with the reserved peak of the whole run (the allocated peak if the
    /// device does not reserve); for a simulated device also compares context, reserved and margin with the usable
    /// memory, and context and reserved in the other order of addresses, too. nullopt if neither is known.
    std::optional<bool> fits(const config::Trial& trial, const protocol::RepeatMemory& memory);
    /// The same, but nullopt for a simulated device whose profile is missing here (a workspace from another machine).
    std::optional<bool> fitsIfKnown(const config::Trial& trial, const protocol::RepeatMemory& memory);

    /// The memory of a simulated device that programs can use; nullopt if it is not known.
    std::optional<Bytes> usableBytes(const config::DeviceSpec& device);

    /// The highest operations per second, over all data types, of a simulated device whose profile states speeds.
    std::optional<double> peakFlops(const std::string& device);

    /// What stored validations say about the error of a prediction; nullopt if there is none of its device.
    std::optional<ErrorBound> errorBound(const TrialResult& trial);

private:
    const simulator::ProfileCatalogue& catalogue();
    const StoredValidations& validations();

    std::filesystem::path m_resources;
    std::optional<simulator::ProfileCatalogue> m_catalogue;
    std::optional<StoredValidations> m_validations;
};

} // namespace headroom::experiments
