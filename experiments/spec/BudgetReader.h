// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toml/TomlText.h"
#include "experiments/spec/Budget.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::experiments {

/// The budgets of a file: `[[budget]]` tables and nothing else. Throws UsageError with file, line, column and key for
/// text that is no TOML, an unknown key, a value of the wrong type or range and a budget without a limit; FileError
/// when the file cannot be read.
std::vector<Budget> loadBudgetFile(const std::filesystem::path& file);

/// The same from text; `source` names it in messages.
std::vector<Budget> readBudgetText(const std::string& toml, const std::string& source);

/// The tables of `[[budget]]`; `source` names the document in messages.
std::vector<Budget> readBudgets(const toml::node& node, const std::string& source);

/// Throws UsageError when two of them have the same name.
void requireDistinctNames(const std::vector<Budget>& budgets);

} // namespace headroom::experiments
