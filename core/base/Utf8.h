// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headroom {

// What is no UTF-8 (overlong forms, surrogates and what lies behind U+10FFFF included) becomes U+FFFD as Unicode
// recommends and browsers, Python and nlohmann do it: one for as many bytes as could have begun a character, one for
// each other byte.

/// The text in UTF-8 whatever it was: readers of JSON, pickles and SQLite refuse a whole file for one byte that is
/// none.
std::string validUtf8(std::string_view text);

/// Reads one character at `begin`. Its length in bytes; 0, and no value, where there is none.
std::size_t readCodePoint(std::string_view text, std::size_t begin, char32_t& value);

/// The characters of a text, and back.
std::u32string codePoints(std::string_view text);
std::string utf8(std::u32string_view text);

} // namespace headroom
