// SPDX-License-Identifier: Apache-2.0
#include "core/base/Utf8.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace headroom {
namespace {

std::string replacements(std::size_t count)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += "\uFFFD";
    return text;
}

TEST(Utf8Test, validTextStays)
{
    using namespace std::string_literals;
    const std::string text = "µ ü – 漢 😀\n\t\x1b\x7f\0\u0080\u07FF\u0800\uFFFF\U00010000\U0010FFFF"s;
    EXPECT_EQ(validUtf8(text), text);
    EXPECT_EQ(utf8(codePoints(text)), text);
    EXPECT_EQ(codePoints("😀").size(), 1U);
    EXPECT_EQ(codePoints("aµ漢😀"), U"aµ漢😀");
    EXPECT_EQ(validUtf8(""), "");
}

TEST(Utf8Test, everyByteOfNoCharacterIsReplaced)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"a\xff\xfe", "a" + replacements(2)},
        {"\xC3(", replacements(1) + "("},
        {"\xC0\xAF", replacements(2)}, // overlong
        {"\xE0\x80\xAF", replacements(3)},
        {"\xF0\x80\x80\xAF", replacements(4)},
        {"\xED\xA0\x80", replacements(3)}, // surrogate
        {"\xF4\x90\x80\x80", replacements(4)}, // beyond Unicode
        {"\xF5\x80", replacements(2)},
        {"\x80\xBF", replacements(2)},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(validUtf8(text), expected);
        EXPECT_EQ(utf8(codePoints(text)), expected);
    }
}

// As Unicode recommends: however many of its bytes are there.
TEST(Utf8Test, aCharacterThatIsCutOffIsReplacedOnce)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"\xE2\x82", replacements(1)},
        {"\xF0\x9F\x98", replacements(1)},
        {"\xF0\x9F\x98z", replacements(1) + "z"},
        {"\xE2\x82\xE2\x82\xAC", replacements(1) + "€"},
        {"\xF1\x80\x80\xC2\x80", replacements(1) + "\u0080"},
        {"\xF4\x8F\xBF\xFF", replacements(2)},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(validUtf8(text), expected);
        EXPECT_EQ(utf8(codePoints(text)), expected);
    }
}

TEST(Utf8Test, oneCharacterIsReadAtATime)
{
    char32_t value = 0;
    EXPECT_EQ(readCodePoint("a€", 1, value), 3U);
    EXPECT_EQ(value, U'€');
    EXPECT_EQ(readCodePoint("a€", 2, value), 0U);
    EXPECT_EQ(readCodePoint("\xE2\x82", 0, value), 0U);
    EXPECT_EQ(value, U'€');
}

} // namespace
} // namespace headroom
