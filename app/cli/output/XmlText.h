// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::cli {

/// The text as XML 1.0 may hold it, in an element or in an attribute with double quotes: markup is escaped, characters
/// that XML cannot have are left out, what is no UTF-8 becomes U+FFFD. Line breaks and tabs are kept, also where a
/// parser would make blanks of them.
std::string xmlText(const std::string& text);

} // namespace headroom::cli
