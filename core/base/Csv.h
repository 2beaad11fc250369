// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// A cell of a CSV file, in quotes where it has to be. Control characters but line feeds and tabs are spelled out; text
/// that a spreadsheet would take for a formula (it begins with = + - @ or a tab, and is no number) gets a ' in front.
std::string csvCell(std::string_view text);

/// Such cells as a line with its end, CR LF as RFC 4180 wants it.
std::string csvLine(std::span<const std::string> cells);

} // namespace headroom
