// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headroom::figures {

/// A text as XML content or attribute value: < > & " ' escaped, U+FFFD for what XML cannot hold (control characters,
/// invalid UTF-8, noncharacters). Tabs and line ends stay.
std::string xmlText(std::string_view text);

} // namespace headroom::figures
