// SPDX-License-Identifier: Apache-2.0
#include "core/base/CodePoints.h"

#include <array>

namespace headroom::config {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

unsigned byteAt(std::string_view text, std::size_t index)
{
    return index < text.size() ? static_cast<unsigned char>(text[index]) : 0U;
}

std::size_t lengthByLead(unsigned lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead < 0xE0)
        return 2;
    if (lead >= 0xE0 && lead < 0xF0)
        return 3;
    return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

// Overlong forms, surrogates and what lies beyond Unicode are no characters.
bool isCharacter(char32_t value, std::size_t length)
{
    constexpr std::array<char32_t, 5> kFirst{0, 0, 0x80, 0x800, 0x10000};
    return value >= kFirst.at(length) && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

char byte(char32_t value)
{
    return static_cast<char>(static_cast<unsigned char>(value));
}

} // namespace

std::size_t readCodePoint(std::string_view text, std::size_t begin, char32_t& value)
{
    const unsigned lead = byteAt(text, begin);
    const std::size_t length = lengthByLead(lead);
    char32_t read = length < 2 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const unsigned next = byteAt(text, begin + i);
        if ((next & 0xC0U) != 0x80)
            return 0;
        read = read << 6U | (next & 0x3FU);
    }
    if (length == 0 || !isCharacter(read, length))
        return 0;
    value = read;
    return length;
}

std::u32string codePoints(std::string_view utf8)
{
    std::u32string result;
    for (std::size_t at = 0; at < utf8.size();) {
        char32_t value = 0;
        const std::size_t length = readCodePoint(utf8, at, value);
        result += length == 0 ? kReplacement : value;
        at += length == 0 ? 1 : length;
    }
    return result;
}

std::string utf8(std::u32string_view text)
{
    std::string result;
    for (const char32_t c : text) {
        if (c < 0x80)
            result += byte(c);
        else if (c < 0x800)
            result += {byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F))};
        else if (c < 0x10000)
            result += {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F))};
        else
            result += {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F)), byte(0x80 | (c >> 6 & 0x3F)),
                byte(0x80 | (c & 0x3F))};
    }
    return result;
}

} // namespace headroom::config
