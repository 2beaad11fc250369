// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headroom::figures {

/// The characters of a text; U+FFFD for each byte that is no part of valid UTF-8.
std::u32string codePoints(std::string_view utf8);
std::string utf8(std::u32string_view text);

} // namespace headroom::figures
