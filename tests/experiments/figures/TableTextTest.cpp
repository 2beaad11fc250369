// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/TableText.h"

#include <gtest/gtest.h>

namespace headroom::figures {
namespace {

TEST(TableTextTest, aRowIsALine)
{
    EXPECT_EQ(
        toCsv({{"Trial", "Peak (GiB)"}, {{"all", "9.246"}, {"", "1"}}}), "Trial,Peak (GiB)\r\nall,9.246\r\n,1\r\n");
}

TEST(TableTextTest, cellsAreQuotedWhereTheyHaveToBe)
{
    EXPECT_EQ(csvCell("plain"), "plain");
    EXPECT_EQ(csvCell("a, b"), "\"a, b\"");
    EXPECT_EQ(csvCell("say \"x\""), "\"say \"\"x\"\"\"");
    EXPECT_EQ(csvCell("two\nlines"), "\"two\nlines\"");
}

TEST(TableTextTest, textIsNoFormulaAndNumbersStayNumbers)
{
    for (const char* formula : {"=1+1", "+1", "-cmd", "@SUM(A1)", "\tx", "-1+2"})
        EXPECT_EQ(csvCell(formula), std::string("'") + formula) << formula;
    EXPECT_EQ(csvCell("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
    for (const char* plain : {"-1", "-0.25", "-1e-9", "-inf", "-", "a=1", "1-2"})
        EXPECT_EQ(csvCell(plain), plain);
}

TEST(TableTextTest, controlCharactersAreSpelledOut)
{
    EXPECT_EQ(csvCell("\x1b[31m\r\u202e\xff"), "\\x1B[31m\\x0D\\u{202E}\\xFF");
}

} // namespace
} // namespace headroom::figures
