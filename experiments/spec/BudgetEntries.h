// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "experiments/spec/Budget.h"

#include <string>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// The keys of a [[budget]] table with their values, as a file would have them: what `readBudgetText` reads back.
std::vector<std::pair<std::string, config::Value>> budgetEntries(const Budget& budget);

/// The same as TOML, the header included.
std::string budgetToml(const std::vector<std::pair<std::string, config::Value>>& entries);

} // namespace headroom::experiments
