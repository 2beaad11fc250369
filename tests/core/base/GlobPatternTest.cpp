// SPDX-License-Identifier: Apache-2.0
#include "core/base/GlobPattern.h"

#include <gtest/gtest.h>

#include <string>

namespace headroom::experiments {
namespace {

TEST(GlobPatternTest, withoutWildcardsIsTheTextItself)
{
    EXPECT_TRUE(matchesGlob("every:2", "every:2"));
    EXPECT_FALSE(matchesGlob("every:24", "every:2"));
    EXPECT_FALSE(matchesGlob("every:2", "every:24"));
    EXPECT_FALSE(matchesGlob("Every:2", "every:2"));
    EXPECT_TRUE(matchesGlob("", ""));
    EXPECT_FALSE(matchesGlob("a", ""));
}

TEST(GlobPatternTest, aStarIsAnyCharactersAndNone)
{
    EXPECT_TRUE(matchesGlob("sim:a100-80gb", "sim:*"));
    EXPECT_TRUE(matchesGlob("sim:", "sim:*"));
    EXPECT_FALSE(matchesGlob("cpu", "sim:*"));
    EXPECT_TRUE(matchesGlob("ltx-video-2b", "*-2b"));
    EXPECT_FALSE(matchesGlob("ltx-video-2bx", "*-2b"));
    EXPECT_TRUE(matchesGlob("a-b-a-b-c", "a*b-c"));
    EXPECT_TRUE(matchesGlob("anything", "**"));
    EXPECT_TRUE(matchesGlob("", "*"));
}

TEST(GlobPatternTest, aQuestionMarkIsOneCharacter)
{
    EXPECT_TRUE(matchesGlob("every:4", "every:?"));
    EXPECT_FALSE(matchesGlob("every:", "every:?"));
    EXPECT_FALSE(matchesGlob("every:12", "every:?"));
}

TEST(GlobPatternTest, othersStandForThemselves)
{
    EXPECT_TRUE(matchesGlob("ops:mm/2 [x]", "ops:mm/2 [x]"));
    EXPECT_FALSE(matchesGlob("x", "[x]"));
    EXPECT_FALSE(matchesGlob("ab", "a."));
}

TEST(GlobPatternTest, manyStarsTakeNoMoreThanASecond)
{
    std::string pattern;
    for (int i = 0; i < 50; ++i)
        pattern += "*a";
    EXPECT_FALSE(matchesGlob(std::string(2000, 'a') + "b", pattern));
}

} // namespace
} // namespace headroom::experiments
