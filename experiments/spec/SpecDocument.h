// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"
#include "experiments/spec/ExperimentSpec.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// What stands in a spec file: the top-level settings and those of each [[part]], not yet laid over each other.
struct SpecDocument {
    std::string name;
    std::string title;
    std::string description;
    SpecSettings settings;
    std::vector<SpecSettings> parts;
    std::vector<ExcludeRule> excludes;
    std::vector<Budget> budgets;
};

/// Throws UsageError with `source`, line, column and key for text that is no TOML and for what no spec has.
SpecDocument readSpecDocument(const std::string& toml, const std::string& source);

/// The same, but what no spec has is left out and told in `mistakes`: only text that is no TOML is refused.
SpecDocument readSpecDocument(const std::string& toml, const std::string& source, std::vector<UsageError>& mistakes);

} // namespace headroom::experiments
