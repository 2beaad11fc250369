// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Report.h"

#include "core/base/Error.h"

#include <gtest/gtest.h>

#include <sstream>

namespace headroom::cli::report_test {
namespace {

using experiments::OrderedJson;

Report sample()
{
    Report report;
    Table table({{"a"}});
    table.addRow({"1"});
    report.sections.push_back({"Title", "before", table, "after"});
    report.document = OrderedJson::parse(R"({"z":1,"a":[{"k":1},{"k":2}]})");
    report.records = report.document["a"];
    return report;
}

std::string printed(OutputFormat format)
{
    std::ostringstream out;
    print(sample(), format, out);
    return out.str();
}

TEST(ReportTest, printsEachFormat)
{
    EXPECT_EQ(printed(OutputFormat::Table), "Title\n\nbefore\n\na\n-\n1\n\nafter\n");
    EXPECT_EQ(printed(OutputFormat::Markdown), "## Title\n\nbefore\n\n| a |\n| --- |\n| 1 |\n\nafter\n");
    EXPECT_EQ(printed(OutputFormat::Csv), "k\n1\n2\n");
    EXPECT_EQ(printed(OutputFormat::JsonLines), "{\"k\":1}\n{\"k\":2}\n");
    EXPECT_EQ(OrderedJson::parse(printed(OutputFormat::Json)), sample().document);
}

TEST(ReportTest, jsonKeepsTheOrderOfKeysAndSurvivesBadText)
{
    EXPECT_EQ(jsonLine(OrderedJson::parse(R"({"z":1,"a":2})")), R"({"z":1,"a":2})");
    EXPECT_NO_THROW(OrderedJson::parse(jsonLine(OrderedJson{{"text", "\xff"}})));
}

TEST(OutputFormatTest, readsTheFiveNames)
{
    EXPECT_EQ(outputFormatFromText("table"), OutputFormat::Table);
    EXPECT_EQ(outputFormatFromText("md"), OutputFormat::Markdown);
    EXPECT_EQ(outputFormatFromText("csv"), OutputFormat::Csv);
    EXPECT_EQ(outputFormatFromText("json"), OutputFormat::Json);
    EXPECT_EQ(outputFormatFromText("jsonl"), OutputFormat::JsonLines);
    EXPECT_THROW(outputFormatFromText("xml"), UsageError);
    EXPECT_THROW(outputFormatFromText(""), UsageError);
}

} // namespace
} // namespace headroom::cli::report_test
