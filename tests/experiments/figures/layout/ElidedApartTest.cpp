// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/ElidedApart.h"

#include "experiments/figures/layout/TextMetrics.h"
#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

#include <set>

namespace headroom::figures {
namespace {

using testing::ElementsAre;

constexpr double kFont = 10;

double room(const char* text)
{
    return textWidth(text, kFont);
}

TEST(ElidedApartTest, whatFitsIsNotCut)
{
    EXPECT_THAT(elidedApart({"every:2", "all", "every:2"}, kFont, 100), ElementsAre("every:2", "all", "every:2"));
    EXPECT_TRUE(elidedApart({}, kFont, 100).empty());
}

TEST(ElidedApartTest, whatDiffersAtTheBeginningIsCutAtTheEnd)
{
    EXPECT_THAT(
        elidedApart({"one and more", "two and more"}, kFont, room("two an…")), ElementsAre("one an…", "two an…"));
}

TEST(ElidedApartTest, whatDiffersAtTheEndIsCutInTheMiddle)
{
    EXPECT_THAT(elidedApart({"blocks of eight, every:2", "blocks of eight, every:4"}, kFont, room("mmmm…mmmm")),
        ElementsAre(testing::EndsWith("every:2"), testing::EndsWith("every:4")));
}

TEST(ElidedApartTest, whatDiffersInTheMiddleIsCutBeforeIt)
{
    const std::string same(60, 'a');
    const auto cut = elidedApart({same + " every:2 " + same, same + " every:4 " + same}, kFont, room("mmmmmmmmmmmmmm"));
    EXPECT_THAT(cut, ElementsAre(testing::HasSubstr("…every:2"), testing::HasSubstr("…every:4")));
}

TEST(ElidedApartTest, lettersStayWhole)
{
    EXPECT_THAT(elidedApart({"üüüüüüüüü1", "üüüüüüüüü2"}, kFont, room("üüm1ü") + 1), ElementsAre("üü…ü1", "üü…ü2"));
}

// Settings of a sweep: what tells them apart may be anywhere, and in several places.
TEST(ElidedApartTest, differentTextsStayDifferentAndFit)
{
    Random random(7);
    for (int i = 0; i < 300; ++i) {
        std::string text;
        for (std::size_t letters = 40 + random.below(120); letters > 0; --letters)
            text += random.below(7) == 0 ? ' ' : static_cast<char>('a' + random.below(26));
        std::set<std::string> different{text};
        for (std::size_t others = 1 + random.below(6); others > 0; --others) {
            std::string other = text;
            other[random.below(text.size())] = 'X';
            different.insert(other);
        }
        const std::vector<std::string> texts(different.begin(), different.end());
        std::set<std::string> shown;
        for (const std::string& cut : elidedApart(texts, kFont, 150)) {
            ASSERT_LE(textWidth(cut, kFont), 150);
            shown.insert(cut);
        }
        ASSERT_EQ(shown.size(), texts.size()) << text;
    }
}

} // namespace
} // namespace headroom::figures
