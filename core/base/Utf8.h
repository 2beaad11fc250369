// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headroom {

// Bytes that are not UTF-8 (including overlong forms, surrogates and values above U+10FFFF) become U+FFFD as Unicode
// recommends and as browsers, Python and nlohmann do it: one for the longest run of bytes that could have begun a
// character, one for each other byte.

/// Always returns valid UTF-8: readers of JSON, pickles and SQLite refuse a whole file for a single invalid byte.
std::string validUtf8(std::string_view text);

/// Reads one character at `begin`. Returns its length in bytes; 0, leaving `value` alone, if there is none.
std::size_t readCodePoint(std::string_view text, std::size_t begin, char32_t& value);

/// The characters of a text, and back.
std::u32string codePoints(std::string_view text);
std::string utf8(std::u32string_view text);

} // namespace headroom
