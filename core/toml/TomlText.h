// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <toml++/toml.h>

namespace headroom::experiments {

/// Parses TOML text into a table; `source` names it in messages. Throws UsageError with line and column for invalid
/// TOML, and for keys with so many parts that the recursive parser would overflow the stack.
toml::table parseToml(const std::string& text, const std::string& source);

/// The offset of such a key.
std::optional<std::size_t> findDeepKey(const std::string& text);

} // namespace headroom::experiments
