// SPDX-License-Identifier: Apache-2.0
#include "core/base/Xml.h"

#include "core/base/Utf8.h"

namespace headroom {
namespace {

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
    default:
        return {};
    }
}

std::u32string_view lineEndReference(char32_t c)
{
    switch (c) {
    case U'\n':
        return U"&#10;";
    case U'\t':
        return U"&#9;";
    case U'\r':
        return U"&#13;";
    default:
        return {};
    }
}

// Empty for characters that are not replaced. No character has both replacements.
std::u32string_view replacementOf(char32_t c, LineEnds lineEnds)
{
    const auto reference = lineEnds == LineEnds::AsReferences ? lineEndReference(c) : std::u32string_view();
    return reference.empty() ? entity(c) : reference;
}

// XML 1.0, production 2; UTF-8 has no surrogates.
bool fitsXml(char32_t c)
{
    return (c >= 0x20 && c != 0xFFFE && c != 0xFFFF) || c == U'\n' || c == U'\t' || c == U'\r';
}

} // namespace

std::string xmlText(std::string_view text, LineEnds lineEnds)
{
    std::u32string result;
    for (const char32_t c : codePoints(text)) {
        const auto replaced = replacementOf(c, lineEnds);
        if (!replaced.empty())
            result += replaced;
        else
            result += fitsXml(c) ? c : char32_t{0xFFFD};
    }
    return utf8(result);
}

} // namespace headroom
