// SPDX-License-Identifier: Apache-2.0
#include "core/base/ShownText.h"

#include "core/base/Utf8.h"

#include <algorithm>
#include <array>
#include <optional>

namespace headroom::config {
namespace {

struct CharacterRange {
    char32_t first;
    char32_t last;
};

// Unicode's general categories Cc, Zl and Zp.
constexpr std::array kControls{CharacterRange{0x00, 0x1F}, CharacterRange{0x7F, 0x9F}, CharacterRange{0x2028, 0x2029}};
// The characters with the property Bidi_Control.
constexpr std::array kDirections{CharacterRange{0x61C, 0x61C}, CharacterRange{0x200E, 0x200F},
    CharacterRange{0x202A, 0x202E}, CharacterRange{0x2066, 0x2069}};

template <std::size_t Count> bool isIn(const std::array<CharacterRange, Count>& ranges, char32_t character)
{
    return std::any_of(ranges.begin(), ranges.end(),
        [&](const CharacterRange& range) { return character >= range.first && character <= range.last; });
}

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

// `shown` returns the text for a character, or for a byte that begins none, which has no value.
template <typename Shown> std::string eachShown(std::string_view text, Shown shown)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        char32_t value = 0;
        const std::size_t length = readCodePoint(text, at, value);
        const std::string_view character = text.substr(at, std::max<std::size_t>(1, length));
        result += shown(character, length > 0 ? std::optional(value) : std::nullopt);
        at += character.size();
    }
    return result;
}

// `shown` returns the text for a control character.
template <typename Shown> std::string withoutControls(std::string_view text, Shown shown)
{
    return eachShown(text, [&](std::string_view character, std::optional<char32_t> value) {
        return !value           ? spelledByte(character.front())
            : isControl(*value) ? shown(character, *value)
                                : std::string(character);
    });
}

} // namespace

bool isControl(char32_t character)
{
    return isIn(kControls, character) || isIn(kDirections, character);
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

std::string withoutDirections(std::string_view text)
{
    return eachShown(text, [](std::string_view character, std::optional<char32_t> value) {
        return value && isIn(kDirections, *value) ? spelled(character, *value) : std::string(character);
    });
}

} // namespace headroom::config
