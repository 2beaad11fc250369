// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headroom::config {

// Names and messages come from files that others wrote. A terminal obeys control characters, and marks that turn the
// direction of writing make a line say what it does not: people get to see them spelled out, "\x1B", "\u{202E}".

/// Whether a character does something else than to be seen: a control character (C0, DEL, C1), a mark of direction, a
/// separator of lines.
bool isControl(char32_t character);

/// Whether a text has none of these, line ends and tabs included, and is UTF-8.
bool isPlainText(std::string_view text);

/// On one line: line ends and tabs are blanks, controls and bytes that are no UTF-8 are spelled out.
std::string shownLine(std::string_view text);

/// The same with its line feeds and tabs.
std::string shownText(std::string_view text);

} // namespace headroom::config
