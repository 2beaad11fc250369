// SPDX-License-Identifier: Apache-2.0
#include "core/base/Csv.h"

#include <gtest/gtest.h>

#include <vector>

namespace headroom {
namespace {

TEST(CsvCellTest, cellsAreQuotedWhereTheyHaveToBe)
{
    EXPECT_EQ(csvCell("plain"), "plain");
    EXPECT_EQ(csvCell("a, b"), "\"a, b\"");
    EXPECT_EQ(csvCell("say \"x\""), "\"say \"\"x\"\"\"");
    EXPECT_EQ(csvCell("two\nlines"), "\"two\nlines\"");
    EXPECT_EQ(csvCell(""), "");
}

TEST(CsvCellTest, textIsNoFormulaAndNumbersStayNumbers)
{
    for (const char* formula : {"=1+1", "+1", "-cmd", "@SUM(A1)", "\tx", "-1+2"})
        EXPECT_EQ(csvCell(formula), std::string("'") + formula) << formula;
    EXPECT_EQ(csvCell("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
    for (const char* plain : {"-1", "-0.25", "-1e-9", "-inf", "-", "a=1", "1-2"})
        EXPECT_EQ(csvCell(plain), plain);
}

TEST(CsvCellTest, controlCharactersAreSpelledOut)
{
    EXPECT_EQ(csvCell("\x1b[31m\r\u202e\xff"), "\\x1B[31m\\x0D\\u{202E}\\xFF");
}

TEST(CsvLineTest, emptyCellsKeepTheirPlace)
{
    EXPECT_EQ(csvLine(std::vector<std::string>{"", "a,b", ""}), ",\"a,b\",\r\n");
    EXPECT_EQ(csvLine({}), "\r\n");
}

} // namespace
} // namespace headroom
