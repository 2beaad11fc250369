// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/MarkdownReport.h"

#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <sstream>

namespace headroom::report {
namespace {

using testing::HasSubstr;
using testing::Not;

class MarkdownReportTest : public ReportFixture {
protected:
    std::string report(Identity identity = Identity::Shown)
    {
        const ReportContent found = content(identity);
        return markdownReport(found, Comparison(found.trials));
    }

    static std::vector<std::string> rowsUnder(const std::string& report, const std::string& heading)
    {
        std::istringstream lines(report.substr(report.find("## " + heading)));
        std::vector<std::string> rows;
        for (std::string line; std::getline(lines, line) && (rows.empty() || line.starts_with("|"));)
            if (line.starts_with("|"))
                rows.push_back(line);
        return rows;
    }
};

TEST_F(MarkdownReportTest, theVerdictComesFirst)
{
    run("techniques.split_ffn = [\"off\", \"2\"]\n");
    const std::string text = report();
    EXPECT_LT(text.find("## Verdict"), text.find("## Results"));
    EXPECT_LT(text.find("## Results"), text.find("## Environment"));
    EXPECT_LT(text.find("## Environment"), text.find("## Run it again"));
}

TEST_F(MarkdownReportTest, everyRowHasAsManyCellsAsTheHeader)
{
    run("name = \"pipes | here\"\ntechniques.split_ffn = [\"off\", \"2\"]\ndevice.name = [\"cpu\", \"sim:t4\"]\n"
        "[[exclude]]\nsplit_ffn = \"2\"\nreason = \"a | b\\nand `c`\"\n");
    const std::string text = report();
    for (const char* heading :
        {"Results", "Trials without results", "What differs between the trials", "Environment"}) {
        const auto rows = rowsUnder(text, heading);
        ASSERT_GT(rows.size(), 2u) << heading;
        const auto cells = [](std::string row) {
            for (std::size_t at = 0; (at = row.find("\\|")) != std::string::npos;)
                row.erase(at, 2);
            return std::count(row.begin(), row.end(), '|');
        };
        for (const std::string& row : rows)
            EXPECT_EQ(cells(row), cells(rows.front())) << row;
    }
    EXPECT_THAT(text, HasSubstr("a \\| b and \\`c\\`"));
}

TEST_F(MarkdownReportTest, controlCharactersAreSpelledOut)
{
    run("title = \"\\u001b[31m\"\ntechniques.split_ffn = [\"off\", \"2\"]\n"
        "[[exclude]]\nsplit_ffn = \"2\"\nreason = \"\\u001b]0;x\\u0007 \\u009b \\u202e\"\n");
    const std::string text = report();
    for (const char* control : {"\x1b", "\x07", "\u009b", "\u202e"})
        EXPECT_THAT(text, Not(HasSubstr(control)));
    EXPECT_THAT(text, HasSubstr("\\\\x1B]0;x\\\\x07 \\\\u{9B} \\\\u{202E}")); // a backslash is escaped in Markdown
}

TEST_F(MarkdownReportTest, predictedNumbersAreMarkedInTheTable)
{
    run("device.name = [\"cpu\", \"sim:t4\"]\n");
    const auto rows = rowsUnder(report(), "Results");
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_THAT(rows[2], Not(HasSubstr(" p |")));
    EXPECT_THAT(rows[3], HasSubstr("4.883 p |"));
    EXPECT_THAT(report(), HasSubstr("p: predicted by simulation, not measured."));
}

TEST_F(MarkdownReportTest, theSpecCannotLeaveItsBlock)
{
    run("[[exclude]]\nworkload.sequence_length = 9\nreason = \"```\\n# not a heading\"\n");
    EXPECT_THAT(report(), HasSubstr("````toml"));
}

TEST_F(MarkdownReportTest, anonymousLeavesOutTheHost)
{
    run(experiments::kThree);
    char host[256] = {};
    ASSERT_EQ(::gethostname(host, sizeof(host) - 1), 0);
    EXPECT_THAT(report(), HasSubstr(std::string("| host | ") + host));
    EXPECT_THAT(report(Identity::Removed), Not(HasSubstr(std::string("| host | ") + host)));
}

} // namespace
} // namespace headroom::report
