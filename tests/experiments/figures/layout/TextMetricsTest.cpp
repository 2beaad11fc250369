// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/TextMetrics.h"

#include <gmock/gmock.h>

namespace headroom::figures {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TextMetricsTest, widthIsOfCharactersNotOfBytes)
{
    EXPECT_DOUBLE_EQ(textWidth("ü", 10), textWidth("u", 10));
    EXPECT_GT(textWidth("漢", 10), textWidth("u", 10));
    EXPECT_GT(textWidth("mm", 10), textWidth("ii", 10));
    EXPECT_GT(boldTextWidth("a", 10), textWidth("a", 10));
}

TEST(TextMetricsTest, whatFitsIsNotCut)
{
    EXPECT_EQ(elided("every:2", 12, 100), "every:2");
}

TEST(TextMetricsTest, whatIsCutFitsAndSaysSo)
{
    const std::string cut = elided("every:2 + e4m3:layer", 12, 60);
    EXPECT_TRUE(cut.starts_with("every"));
    EXPECT_TRUE(cut.ends_with("…"));
    EXPECT_LE(textWidth(cut, 12), 60);
}

TEST(TextMetricsTest, cuttingLeavesCharactersWhole)
{
    EXPECT_EQ(elided("üüüüüüüü", 10, 4 * 6.5 + 10), "üüüü…");
}

TEST(TextMetricsTest, linesBreakAtSpacesAndFit)
{
    EXPECT_THAT(wrapped("one two three", 10, textWidth("one two", 10)), ElementsAre("one two", "three"));
    for (const std::string& line : wrapped("a verylongwordthatfitsnowhere b", 12, 60))
        EXPECT_LE(textWidth(line, 12), 60);
    EXPECT_THAT(wrapped("", 12, 60), IsEmpty());
}

} // namespace
} // namespace headroom::figures
