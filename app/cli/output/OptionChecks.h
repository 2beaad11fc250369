// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::cli {

// Checks of option values for CLI11: why a value is refused; empty where it is not.

/// "--workspace --dry-run" lacks a value; it does not name a file "--dry-run".
std::string noOption(const std::string& value);

/// An unset variable in a script must not change what is done. Refuses what noOption refuses, too.
std::string notEmpty(const std::string& value);

} // namespace headroom::cli
