// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headroom::config {

/// Reads one character of UTF-8 at `begin`. Its length in bytes; 0, and no value, where there is none.
std::size_t readCodePoint(std::string_view utf8, std::size_t begin, char32_t& value);

/// The characters of a text; U+FFFD for each byte that is no part of valid UTF-8.
std::u32string codePoints(std::string_view utf8);
std::string utf8(std::u32string_view text);

} // namespace headroom::config
