// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headroom {

/// How line ends and tabs are written. An XML parser turns them into spaces in an attribute, and carriage returns into
/// line feeds elsewhere, unless they are character references; HTML reads better with them unchanged.
enum class LineEnds : std::uint8_t { AsReferences, AsTheyAre };

/// A text as XML 1.0 or HTML may contain it, in an element or in an attribute with either kind of quotes: < > & " ' are
/// escaped; characters that XML 1.0 does not allow (control characters below the space, U+FFFE, U+FFFF) and bytes that
/// are not UTF-8 become U+FFFD.
std::string xmlText(std::string_view text, LineEnds lineEnds = LineEnds::AsReferences);

} // namespace headroom
