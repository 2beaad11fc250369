// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom::figures {

/// How wide a text is at most, in px, in the usual sans-serif faces of Linux, macOS, Windows and phones. No font is
/// asked: the drawing is the same wherever it is made, and labels that do not touch here do not touch anywhere.
double textWidth(std::string_view text, double fontPx);
double boldTextWidth(std::string_view text, double fontPx);

/// The text, cut and ended with an ellipsis where it is wider than `width`.
std::string elided(std::string_view text, double fontPx, double width);

/// Lines no wider than `width`, broken at spaces; a word that is too wide is cut.
std::vector<std::string> wrapped(std::string_view text, double fontPx, double width);

} // namespace headroom::figures
