// SPDX-License-Identifier: Apache-2.0
#include "core/base/Utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace headroom::interchange {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Form {
    std::size_t length = 0; ///< 0: no first byte of a character
    std::uint8_t secondFrom = 0x80; ///< smallest and largest second byte: what is outside is overlong or no character
    std::uint8_t secondTo = 0xBF;
};

// Unicode standard, table 3-7: well-formed UTF-8 byte sequences.
Form formOf(std::uint8_t first)
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

// Bytes of the character that the text begins with; 0 where it begins with none.
std::size_t characterLength(std::string_view text)
{
    const auto byteAt = [&](std::size_t index) { return static_cast<std::uint8_t>(text[index]); };
    const Form form = formOf(byteAt(0));
    if (form.length < 2)
        return form.length;
    if (text.size() < form.length || byteAt(1) < form.secondFrom || byteAt(1) > form.secondTo)
        return 0;
    for (std::size_t i = 2; i < form.length; ++i)
        if ((byteAt(i) & 0xC0U) != 0x80U)
            return 0;
    return form.length;
}

} // namespace

std::string validUtf8(std::string_view text)
{
    std::string valid;
    valid.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        valid += length == 0 ? kReplacement : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(1, length));
    }
    return valid;
}

} // namespace headroom::interchange
