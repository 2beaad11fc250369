// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <toml++/toml.h>

namespace headroom::experiments {

/// TOML text as a table; `source` names it in messages. Throws UsageError with line and column for what is no TOML, and
/// for keys of so many parts that the parser, which goes down one by one, would run out of stack.
toml::table parseToml(const std::string& text, const std::string& source);

/// Where such a key begins.
std::optional<std::size_t> findDeepKey(const std::string& text);

} // namespace headroom::experiments
