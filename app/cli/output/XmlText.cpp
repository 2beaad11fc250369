// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/XmlText.h"

#include "core/base/Utf8.h"

#include <fmt/format.h>

namespace headroom::cli {
namespace {

// U+FFFE and U+FFFF; surrogates are no UTF-8.
bool isNoncharacter(const std::string& text, std::size_t i)
{
    return text.compare(i, 2, "\xEF\xBF") == 0 && i + 2 < text.size()
        && static_cast<unsigned char>(text[i + 2]) >= 0xBE;
}

std::string escaped(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
    case '\n':
    case '\r':
        return fmt::format("&#{};", static_cast<int>(c));
    default:
        return static_cast<unsigned char>(c) < 0x20 ? std::string() : std::string(1, c);
    }
}

} // namespace

std::string xmlText(const std::string& text)
{
    const std::string valid = validUtf8(text);
    std::string result;
    for (std::size_t i = 0; i < valid.size(); ++i) {
        if (isNoncharacter(valid, i))
            i += 2;
        else
            result += escaped(valid[i]);
    }
    return result;
}

} // namespace headroom::cli
