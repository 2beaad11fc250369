// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/TrialResult.h"

#include <filesystem>
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

} // namespace headroom::experiments
