// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Console.h"

#include "app/cli/output/Report.h"

#include <gtest/gtest.h>

#include <sstream>

namespace headroom::cli::console_test {
namespace {

std::string printed(const std::vector<ColouredText>& pieces)
{
    testing::internal::CaptureStderr(); // no terminal: no colours
    Console().colouredLine(pieces);
    return testing::internal::GetCapturedStderr();
}

TEST(ConsoleTest, aLineIsALine)
{
    EXPECT_EQ(printed({{"a\nb"}, {" red\x1b[31m", Colour::Red}, {"\u202e"}}), "a b red\\x1B[31m\\u{202E}\n");
}

TEST(ConsoleTest, tablesAndTheTextsBesideThemSpellControlsOut)
{
    Report report;
    Table table({{"\x1b[31mtitle"}});
    table.addRow({"cell\x07\u009b"});
    report.sections.push_back({"head\x1b", "before\nline\x07", table, "after\u202e"});
    for (const OutputFormat format : {OutputFormat::Table, OutputFormat::Markdown}) {
        std::ostringstream out;
        print(report, format, out);
        for (const char* control : {"\x1b", "\x07", "\u009b", "\u202e"})
            EXPECT_EQ(out.str().find(control), std::string::npos) << out.str();
        EXPECT_NE(out.str().find("before\nline\\x07\n"), std::string::npos);
        EXPECT_NE(out.str().find("cell\\x07\\u{9B}"), std::string::npos);
    }
}

} // namespace
} // namespace headroom::cli::console_test
