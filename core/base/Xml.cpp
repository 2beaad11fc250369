// SPDX-License-Identifier: Apache-2.0
#include "core/base/Xml.h"

#include "core/base/Utf8.h"

namespace headroom::figures {
namespace {

// Line ends as references: in an attribute a bare one would be read as a space.
std::u32string_view entity(char32_t c)
{
    switch (c) {
    case U'<':
        return U"&lt;";
    case U'>':
        return U"&gt;";
    case U'&':
        return U"&amp;";
    case U'"':
        return U"&quot;";
    case U'\'':
        return U"&#39;";
    case U'\n':
        return U"&#10;";
    case U'\t':
        return U"&#9;";
    default:
        return {};
    }
}

bool fitsXml(char32_t c)
{
    return c >= 0x20 && (c < 0x7F || c > 0x9F) && (c & 0xFFFE) != 0xFFFE;
}

} // namespace

std::string xmlText(std::string_view text)
{
    std::u32string result;
    for (const char32_t c : codePoints(text)) {
        if (const auto replaced = entity(c); !replaced.empty())
            result += replaced;
        else
            result += fitsXml(c) ? c : char32_t{0xFFFD};
    }
    return utf8(result);
}

} // namespace headroom::figures
