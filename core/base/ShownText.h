// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headroom::config {

// Names and messages come from files that others wrote. A terminal obeys control characters, and bidirectional marks
// make a line appear to say something else: both are shown spelled out, "\x1B", "\u{202E}".

/// Whether a character acts on the text instead of being visible: a control character (C0, DEL, C1), a bidirectional
/// mark or a line separator.
bool isControl(char32_t character);

/// Whether a text is valid UTF-8 and contains no such character; line ends and tabs count as such.
bool isPlainText(std::string_view text);

/// The text on one line: line ends and tabs become spaces; control characters and bytes that are not UTF-8 are spelled
/// out.
std::string shownLine(std::string_view text);

/// The same, but keeps line feeds and tabs.
std::string shownText(std::string_view text);

/// The text as it is, but for bidirectional marks, which are spelled out: for pages, where other control characters do
/// nothing.
std::string withoutDirections(std::string_view text);

} // namespace headroom::config
