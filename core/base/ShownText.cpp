// SPDX-License-Identifier: Apache-2.0
#include "core/base/ShownText.h"

#include "core/base/Utf8.h"

#include <algorithm>
#include <array>

namespace headroom::config {
namespace {

struct CharacterRange {
    char32_t first;
    char32_t last;
};

// Unicode's general categories Cc, Zl and Zp, and the characters with the property Bidi_Control.
constexpr std::array kControls{CharacterRange{0x00, 0x1F}, CharacterRange{0x7F, 0x9F}, CharacterRange{0x61C, 0x61C},
    CharacterRange{0x200E, 0x200F}, CharacterRange{0x2028, 0x202E}, CharacterRange{0x2066, 0x2069}};

std::string hexadecimal(unsigned value)
{
    constexpr const char* kDigits = "0123456789ABCDEF";
    std::string text;
    for (; value > 0 || text.size() < 2; value /= 16)
        text.insert(text.begin(), kDigits[value % 16]);
    return text;
}

std::string spelledByte(char byte)
{
    return "\\x" + hexadecimal(static_cast<unsigned char>(byte));
}

std::string spelled(std::string_view character, char32_t value)
{
    return character.size() == 1 ? spelledByte(character.front()) : "\\u{" + hexadecimal(value) + "}";
}

// `shown` returns the text for a control character.
template <typename Shown> std::string withoutControls(std::string_view text, Shown shown)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        char32_t value = 0;
        const std::size_t length = readCodePoint(text, at, value);
        const std::string_view character = text.substr(at, std::max<std::size_t>(1, length));
        if (length == 0)
            result += spelledByte(character.front());
        else if (isControl(value))
            result += shown(character, value);
        else
            result += character;
        at += character.size();
    }
    return result;
}

} // namespace

bool isControl(char32_t character)
{
    return std::any_of(kControls.begin(), kControls.end(),
        [&](const CharacterRange& range) { return character >= range.first && character <= range.last; });
}

bool isPlainText(std::string_view text)
{
    return withoutControls(text, spelled) == text;
}

std::string shownLine(std::string_view text)
{
    return withoutControls(text, [](std::string_view character, char32_t value) {
        return value == U'\n' || value == U'\r' || value == U'\t' ? std::string(" ") : spelled(character, value);
    });
}

std::string shownText(std::string_view text)
{
    return withoutControls(text, [](std::string_view character, char32_t value) {
        return value == U'\n' || value == U'\t' ? std::string(character) : spelled(character, value);
    });
}

} // namespace headroom::config
