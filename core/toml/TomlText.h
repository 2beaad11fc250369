// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <toml++/toml.h>

namespace headroom {

/// Parses TOML text into a table; `source` names it in messages. All of the program's TOML is parsed here. Throws
/// UsageError with line and column for invalid TOML, for keys with so many parts that the recursive parser would
/// overflow the stack, and for more values than a person writes: each takes about a kibibyte.
toml::table parseToml(const std::string& text, const std::string& source);

} // namespace headroom
