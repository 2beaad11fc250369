// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/CsvReport.h"

#include "tests/experiments/report/ReportFixture.h"
#include "tests/support/Checkout.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>

namespace headroom::report {
namespace {

using testing::HasSubstr;

using Rows = std::vector<std::vector<std::string>>;

// As RFC 4180 has it.
Rows parsed(const std::string& csv)
{
    Rows rows{{""}};
    bool isQuoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        const char c = csv[i];
        if (isQuoted && c == '"' && i + 1 < csv.size() && csv[i + 1] == '"')
            rows.back().back() += csv[++i];
        else if (c == '"')
            isQuoted = !isQuoted;
        else if (!isQuoted && c == ',')
            rows.back().emplace_back();
        else if (!isQuoted && c == '\r' && csv[i + 1] == '\n') {
            ++i;
            rows.push_back({""});
        } else
            rows.back().back() += c;
    }
    rows.pop_back();
    return rows;
}

class CsvReportTest : public ReportFixture {
protected:
    Rows rows()
    {
        const ReportContent report = content();
        std::string csv;
        csvReport(report, Comparison(report.trials), [&](std::string_view piece) { csv += piece; });
        return parsed(csv);
    }

    static std::string cell(const Rows& rows, std::size_t row, const std::string& column)
    {
        const auto found = std::find(rows[0].begin(), rows[0].end(), column);
        return found == rows[0].end() ? "no such column"
                                      : rows[row + 1][static_cast<std::size_t>(found - rows[0].begin())];
    }
};

TEST_F(CsvReportTest, hasARowForEachTrialAndACellForEachColumn)
{
    run("techniques.split_ffn = [\"off\", \"2\"]\ndevice.name = [\"cpu\", \"sim:t4\"]\n");
    const Rows found = rows();
    ASSERT_EQ(found.size(), 5u);
    EXPECT_EQ(found[0], csvColumns());
    for (const auto& row : found)
        EXPECT_EQ(row.size(), csvColumns().size());
}

TEST_F(CsvReportTest, predictionsAreTold)
{
    run("device.name = [\"cpu\", \"sim:t4\"]\n");
    EXPECT_EQ(cell(rows(), 0, "provenance"), "measured");
    EXPECT_EQ(cell(rows(), 1, "provenance"), "predicted");
}

// sim:cpu is what a machine without a card can be compared with, so its validation is shipped.
TEST_F(CsvReportTest, theKnownErrorOfAPredictionIsThatOfItsRecord)
{
    run("device.name = [\"cpu\", \"sim:cpu\"]\n");
    const ReportContent report = content();
    const auto& bound = report.trials[1].result.errorBound;
    ASSERT_TRUE(bound);
    EXPECT_FALSE(report.trials[0].result.errorBound);
    const Rows found = rows();
    EXPECT_EQ(cell(found, 1, "error_bound_allocated_rel"), protocol::Json(bound->allocated.value()).dump());
    EXPECT_EQ(cell(found, 1, "error_bound_reserved_rel"), "");
    EXPECT_EQ(cell(found, 1, "error_bound_basis"), bound->basis);
    EXPECT_EQ(cell(found, 0, "error_bound_basis"), "");
    EXPECT_THAT(predictionNotes(report), HasSubstr("Known error of sim:cpu@torch-2.11: allocated memory"));
}

TEST_F(CsvReportTest, valuesAreThoseOfTheRecords)
{
    run("techniques.split_ffn = [\"off\", \"2\"]\nprotocol.repeats = 2\n");
    const Rows found = rows();
    EXPECT_EQ(cell(found, 1, "peak_allocated_bytes"), "5001");
    EXPECT_EQ(cell(found, 1, "step_seconds_median"), "0.625");
    EXPECT_EQ(cell(found, 1, "steps_per_second"), "1.6");
    EXPECT_EQ(cell(found, 1, "speed_ratio"), "1");
    EXPECT_EQ(cell(found, 1, "saved_peak_bytes"), "0");
    EXPECT_EQ(cell(found, 1, "compared_with_trial_id"), cell(found, 0, "trial_id"));
    EXPECT_EQ(cell(found, 1, "technique_split_ffn"), "2");
    EXPECT_EQ(cell(found, 1, "repeats"), "2");
}

TEST_F(CsvReportTest, theAllocatorsSettingsAreTold)
{
    run("device.name = \"sim:t4\"\ndevice.allocator = [\"default\", \"expandable_segments:True\"]\n");
    EXPECT_EQ(cell(rows(), 0, "allocator"), "");
    EXPECT_EQ(cell(rows(), 1, "allocator"), "expandable_segments:True");
}

TEST_F(CsvReportTest, whatIsUnknownIsEmpty)
{
    run("device.name = \"cpu\"\n");
    EXPECT_EQ(cell(rows(), 0, "peak_reserved_bytes"), "");
    EXPECT_EQ(cell(rows(), 0, "oom_phase"), "");
    EXPECT_EQ(cell(rows(), 0, "runtime"), "");
}

TEST_F(CsvReportTest, hostileTextStaysInItsCell)
{
    run("name = \"a, \\\"b\\\"\"\ntechniques.split_ffn = [\"off\", \"2\"]\n"
        "[[exclude]]\nsplit_ffn = \"2\"\nreason = \"x,\\\"y\\\"\\n|z\\u001b]0;t\\u0007\"\n");
    EXPECT_EQ(cell(rows(), 0, "experiment"), "a, \"b\"");
    EXPECT_EQ(cell(rows(), 1, "reason"), "x,\"y\"\n|z\\x1B]0;t\\x07");
}

TEST_F(CsvReportTest, noTextIsAFormula)
{
    run("name = \"=1+1\"\ntechniques.split_ffn = [\"off\", \"2\"]\n"
        "[[exclude]]\nsplit_ffn = \"2\"\nreason = \"@SUM(A1)\"\n");
    EXPECT_EQ(cell(rows(), 0, "experiment"), "'=1+1");
    EXPECT_EQ(cell(rows(), 1, "reason"), "'@SUM(A1)");
}

TEST_F(CsvReportTest, trialsThatWereNotReachedHaveARow)
{
    script("exit@16");
    options.onFailure = experiments::FailurePolicy::FailFast;
    run(experiments::kThree);
    const Rows found = rows();
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(cell(found, 2, "outcome"), "not_run");
    EXPECT_EQ(cell(found, 2, "repeats"), "0");
}

TEST_F(CsvReportTest, itsColumnsAreDocumented)
{
    const std::string page = headroom::contentOf(checkout("docs/contract.md"));
    const std::string section = page.substr(page.find("### Columns of a CSV report"));
    for (const std::string& column : csvColumns()) {
        const bool isTechnique = column.starts_with("technique_") || column.starts_with("options_");
        const std::string listed = isTechnique ? column.substr(0, column.find('_')) + "_<technique>" : column;
        EXPECT_THAT(section, HasSubstr("`" + listed + "`"));
    }
}

} // namespace
} // namespace headroom::report
