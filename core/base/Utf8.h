// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headroom::interchange {

/// The text with every byte that is part of no UTF-8 character (overlong forms, surrogates and what lies behind
/// U+10FFFF included) replaced by U+FFFD: readers of JSON, pickles and SQLite refuse a whole file for one of them.
std::string validUtf8(std::string_view text);

} // namespace headroom::interchange
