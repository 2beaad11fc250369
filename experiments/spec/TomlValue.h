// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/toml/TomlText.h"

#include <optional>
#include <string>

namespace headroom::experiments {

/// The value of a TOML node; throws UsageError at `where` for what no setting can be (a table, a date, a time).
config::Value valueFromToml(const toml::node& node, const std::string& where);

/// One value in TOML syntax; a bare word, and what looks like a date, is that text. Throws UsageError at `where` for
/// text that begins as a list or a quoted text and is none.
config::Value valueFromText(const std::string& text, const std::string& where);

/// The pieces between commas that are outside brackets and quotes, blanks around them removed.
std::vector<std::string> splitAtCommas(const std::string& text);

} // namespace headroom::experiments
