// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// A cell of a CSV file, quoted where necessary. Control characters other than line feeds and tabs are spelled out;
/// text that a spreadsheet would take for a formula (it begins with = + - @ or a tab, and is not a number) is prefixed
/// with '.
std::string csvCell(std::string_view text);

/// A line of such cells with its line ending, CR LF as RFC 4180 requires.
std::string csvLine(std::span<const std::string> cells);

} // namespace headroom
