// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headroom {

/// What becomes of line ends and tabs. A parser of XML makes blanks of them in an attribute, and line feeds of what
/// ends lines elsewhere, unless they are references; a page of HTML is better read with them as they are.
enum class LineEnds : std::uint8_t { AsReferences, AsTheyAre };

/// A text as XML 1.0 or HTML may hold it, in an element or in an attribute with quotes of either kind: < > & " ' are
/// escaped; what XML 1.0 cannot hold (control characters before the blank, U+FFFE, U+FFFF) and what is no UTF-8 becomes
/// U+FFFD.
std::string xmlText(std::string_view text, LineEnds lineEnds = LineEnds::AsReferences);

} // namespace headroom
