// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/Budget.h"
#include "experiments/spec/SpecSettings.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Trials that match every setting are skipped, with the reason shown. A list matches any of its values.
struct ExcludeRule {
    std::vector<SpecSetting> settings;
    std::string reason;
    std::string where;

    bool operator==(const ExcludeRule&) const = default;
};

/// A spec after reading and after the overrides: which settings each part has, not yet which trials follow from them.
struct ExperimentSpec {
    std::string name; ///< the spec's, else the preset's, else "adhoc"
    std::string title;
    std::string description;
    std::string source; ///< file the spec was read from, as it was given; empty for a spec of flags only
    std::string toml; ///< its text as it was read; empty for a spec of flags only
    std::vector<std::filesystem::path> modelFiles; ///< configuration files that models were read from
    /// Sweeps of their own whose trials follow one another. A spec without [[part]] has one.
    std::vector<SpecSettings> parts;
    std::vector<ExcludeRule> excludes;
    std::vector<Budget> budgets; ///< what its results have to keep to; they change no trial

    /// Name, settings of each part, excludes and budgets as JSON with sorted keys: equal for specs that mean the same.
    std::string canonicalJson() const;
};

} // namespace headroom::experiments
