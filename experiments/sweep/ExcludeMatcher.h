// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "experiments/spec/ExperimentSpec.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// Finds the trials that the spec's rules exclude.
class ExcludeMatcher {
public:
    /// `rules` must outlive the matcher.
    explicit ExcludeMatcher(const std::vector<ExcludeRule>& rules);

    /// The reason of the first rule that excludes the trial; empty when none does. Throws UsageError for a value that
    /// the setting cannot have.
    std::string reasonFor(const config::Trial& trial);

    /// Throws UsageError for a setting that none of the trials seen so far has.
    void requireKnownSettings(const std::string& modelName) const;

private:
    bool matches(const ExcludeRule& rule, const config::Trial& trial);
    bool matches(const SpecSetting& setting, const config::Trial& trial);

    const std::vector<ExcludeRule>& m_rules;
    std::vector<std::string> m_knownPaths;
};

} // namespace headroom::experiments
