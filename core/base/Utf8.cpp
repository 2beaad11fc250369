// SPDX-License-Identifier: Apache-2.0
#include "core/base/Utf8.h"

#include <cstdint>

namespace headroom {
namespace {

struct Utf8Form {
    std::size_t length = 0; ///< 0: cannot begin a character
    std::uint8_t secondFrom =
        0x80; ///< range of the second byte: outside of it, the sequence is overlong or not a character
    std::uint8_t secondTo = 0xBF;
};

struct Utf8Piece {
    std::size_t length = 0;
    bool isCharacter = false;
};

std::uint8_t utf8Byte(std::string_view text, std::size_t index)
{
    return static_cast<std::uint8_t>(text[index]);
}

// Unicode standard, table 3-7: well-formed UTF-8 byte sequences.
Utf8Form formOf(std::uint8_t first)
{
    if (first < 0x80)
        return {1};
    if (first >= 0xC2 && first <= 0xDF)
        return {2};
    if (first >= 0xE0 && first <= 0xEF)
        return {3, static_cast<std::uint8_t>(first == 0xE0 ? 0xA0 : 0x80),
            static_cast<std::uint8_t>(first == 0xED ? 0x9F : 0xBF)};
    if (first >= 0xF0 && first <= 0xF4)
        return {4, static_cast<std::uint8_t>(first == 0xF0 ? 0x90 : 0x80),
            static_cast<std::uint8_t>(first == 0xF4 ? 0x8F : 0xBF)};
    return {};
}

bool continues(const Utf8Form& form, std::size_t index, std::uint8_t byte)
{
    return index == 1 ? byte >= form.secondFrom && byte <= form.secondTo : (byte & 0xC0U) == 0x80U;
}

// One character, or the bytes that one U+FFFD replaces (Unicode 3.9, "maximal subpart"): at least one byte.
Utf8Piece pieceAt(std::string_view text, std::size_t begin)
{
    const Utf8Form form = formOf(utf8Byte(text, begin));
    if (form.length == 0)
        return {1, false};
    for (std::size_t i = 1; i < form.length; ++i)
        if (begin + i >= text.size() || !continues(form, i, utf8Byte(text, begin + i)))
            return {i, false};
    return {form.length, true};
}

char32_t codePointOf(std::string_view character)
{
    const std::uint8_t first = utf8Byte(character, 0);
    char32_t value = character.size() == 1 ? first : first & (0x7FU >> character.size());
    for (std::size_t i = 1; i < character.size(); ++i)
        value = value << 6U | (utf8Byte(character, i) & 0x3FU);
    return value;
}

char lowByte(char32_t value)
{
    return static_cast<char>(static_cast<unsigned char>(value));
}

} // namespace

std::string validUtf8(std::string_view text)
{
    std::string valid;
    valid.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Piece piece = pieceAt(text, at);
        valid += piece.isCharacter ? text.substr(at, piece.length) : std::string_view("\xEF\xBF\xBD");
        at += piece.length;
    }
    return valid;
}

std::size_t readCodePoint(std::string_view text, std::size_t begin, char32_t& value)
{
    const Utf8Piece piece = pieceAt(text, begin);
    if (!piece.isCharacter)
        return 0;
    value = codePointOf(text.substr(begin, piece.length));
    return piece.length;
}

std::u32string codePoints(std::string_view text)
{
    std::u32string result;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Piece piece = pieceAt(text, at);
        result += piece.isCharacter ? codePointOf(text.substr(at, piece.length)) : char32_t{0xFFFD};
        at += piece.length;
    }
    return result;
}

std::string utf8(std::u32string_view text)
{
    std::string result;
    for (const char32_t c : text) {
        if (c < 0x80)
            result += lowByte(c);
        else if (c < 0x800)
            result += {lowByte(0xC0 | c >> 6), lowByte(0x80 | (c & 0x3F))};
        else if (c < 0x10000)
            result += {lowByte(0xE0 | c >> 12), lowByte(0x80 | (c >> 6 & 0x3F)), lowByte(0x80 | (c & 0x3F))};
        else
            result += {lowByte(0xF0 | c >> 18), lowByte(0x80 | (c >> 12 & 0x3F)), lowByte(0x80 | (c >> 6 & 0x3F)),
                lowByte(0x80 | (c & 0x3F))};
    }
    return result;
}

} // namespace headroom
