// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Table.h"

#include <gtest/gtest.h>

namespace headroom::cli::table_test {
namespace {

Table sample()
{
    Table table({{"name"}, {"size", Alignment::Right}});
    table.addRow({"a", "1.5"});
    table.addRow({"much longer", "100.25"});
    return table;
}

TEST(TableTest, alignsTextLeftAndNumbersRight)
{
    EXPECT_EQ(sample().text(),
        "name           size\n"
        "-----------  ------\n"
        "a               1.5\n"
        "much longer  100.25\n");
}

TEST(TableTest, marksAlignmentInMarkdown)
{
    EXPECT_EQ(sample().markdown(),
        "| name | size |\n"
        "| --- | ---: |\n"
        "| a | 1.5 |\n"
        "| much longer | 100.25 |\n");
}

TEST(TableTest, aBlankCellIsShownAsUnknown)
{
    Table table({{"a"}, {"b"}});
    table.addRow({"", "x"});
    EXPECT_EQ(table.rows().front().front(), "-");
}

TEST(TableTest, cellsStayOnOneLineAndInsideTheirMarkdownCell)
{
    Table table({{"a"}});
    table.addRow({"one\ntwo | three"});
    EXPECT_EQ(table.rows().front().front(), "one two | three");
    EXPECT_NE(table.markdown().find("| one two \\| three |"), std::string::npos);
}

TEST(TableTest, countsCharactersNotBytes)
{
    EXPECT_EQ(displayWidth("\xc3\xa4\xc3\xb6"), 2u);
    Table table({{"a"}, {"b"}});
    table.addRow({"\xc3\xa4", "x"});
    EXPECT_EQ(table.text(), "a  b\n-  -\n\xc3\xa4  x\n");
}

TEST(TableTest, refusesARowThatDoesNotFit)
{
    Table table({{"a"}, {"b"}});
    EXPECT_THROW(table.addRow({"only one"}), std::invalid_argument);
}

} // namespace
} // namespace headroom::cli::table_test
