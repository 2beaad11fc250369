// SPDX-License-Identifier: Apache-2.0
#include "core/base/ShownText.h"

#include <gtest/gtest.h>

namespace headroom::config {
namespace {

using namespace std::string_literals;

TEST(ShownTextTest, controlsAreSpelledOut)
{
    EXPECT_EQ(shownLine("\x1b[31mred\x07\x7f\0"s), "\\x1B[31mred\\x07\\x7F\\x00");
    EXPECT_EQ(shownLine("a\u0085b\u009b"), "a\\u{85}b\\u{9B}");
    EXPECT_EQ(
        shownLine("\u202egnp.exe\u2066\u200f\u061c\u2028"), "\\u{202E}gnp.exe\\u{2066}\\u{200F}\\u{61C}\\u{2028}");
}

// A terminal that is not set to UTF-8 takes them for C1.
TEST(ShownTextTest, bytesThatAreNoUtf8AreSpelledOut)
{
    EXPECT_EQ(shownLine("a\x9b\xff"), "a\\x9B\\xFF");
    EXPECT_EQ(shownText("\xC0\x9B"), "\\xC0\\x9B");
}

TEST(ShownTextTest, lineEndsAreBlanksOnOneLineAndStayInText)
{
    EXPECT_EQ(shownLine("a\r\n\tb"), "a   b");
    EXPECT_EQ(shownText("a\n\tb\rc"), "a\n\tb\\x0Dc");
}

TEST(ShownTextTest, marksOfDirectionAloneAreSpelledOutInPages)
{
    EXPECT_EQ(
        withoutDirections("a\u202eb\u2066c\u2069\u200e\u061c"), "a\\u{202E}b\\u{2066}c\\u{2069}\\u{200E}\\u{61C}");
    EXPECT_EQ(withoutDirections("\x1b\xff\u2028\n שלום"), "\x1b\xff\u2028\n שלום");
}

TEST(ShownTextTest, everythingElseStays)
{
    const std::string text = "µ ü – 漢 😀 | \\x1B `a`";
    EXPECT_EQ(shownLine(text), text);
    EXPECT_EQ(shownText(text), text);
    EXPECT_TRUE(isPlainText(text));
    for (const char* other : {"\n", "a\tb", "\x1b", "\xff", "\u200e"})
        EXPECT_FALSE(isPlainText(other)) << other;
}

} // namespace
} // namespace headroom::config
