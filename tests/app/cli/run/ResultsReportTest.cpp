// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/ResultsReport.h"

#include "experiments/results/MergedRepeats.h"
#include "experiments/results/TrialRecordJson.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace headroom::cli::results_report_test {
namespace {

using namespace experiments;
using protocol::RepeatResult;

constexpr const char* kSpec = R"(
name = "report"
[model]
name = "ffn-stack-tiny"
[techniques]
split_ffn = ["off", "2"]
[device]
name = ["cpu", "sim:t4"]
)";

std::vector<PlannedTrial> plan()
{
    return expand(loadSpecText(kSpec, "spec.toml", {}));
}

RepeatResult completed()
{
    RepeatResult result;
    result.outcome = Outcome::Completed;
    result.memory.peak.allocated = 3 * kGiB / 2;
    result.stepSeconds = {0.25};
    return result;
}

RepeatResult outOfMemory()
{
    RepeatResult result;
    result.outcome = Outcome::OutOfMemory;
    result.reason = "out of memory";
    result.outOfMemory = protocol::OutOfMemoryFacts{"forward", 2 * kGiB, 5 * kGiB / 4};
    result.memory.limit = 14 * kGiB;
    result.need =
        protocol::UnlimitedNeed{{.allocated = 30 * kGiB, .reserved = 31 * kGiB, .device = 63 * kGiB / 2}, {0.5}};
    return result;
}

ResultsDocument results()
{
    const auto trials = plan();
    ResultsDocument document;
    document.experiment = "report";
    document.trials.push_back(trialResult("report", trials.at(0), {completed()}));
    document.trials.push_back(trialResult("report", trials.at(2), {outOfMemory()}));
    document.trials.push_back(trialResult("report", trials.at(3), {}));
    return document;
}

std::string printed(const Report& report, OutputFormat format)
{
    std::ostringstream out;
    print(report, format, out);
    return out.str();
}

std::vector<std::string> column(const Table& table, const std::string& title)
{
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < table.columns().size(); ++i)
        if (table.columns()[i].title == title)
            for (const auto& row : table.rows())
                cells.push_back(row[i]);
    return cells;
}

TEST(ResultsReportTest, marksPredictionsAndSaysWhatThatMeans)
{
    const Section section = resultsReport(results()).sections.front();
    EXPECT_EQ(column(section.table, "kind"), (std::vector<std::string>{"measured", "predicted", "predicted"}));
    EXPECT_NE(section.after.find("simulated, not measured"), std::string::npos);
}

TEST(ResultsReportTest, saysHowFarTheOrderOfAddressesMovesWhatIsReserved)
{
    ResultsDocument document = results();
    EXPECT_EQ(resultsReport(document).sections.front().after.find("addresses"), std::string::npos) << "not known";
    for (TrialResult& trial : document.trials)
        trial.memory.peak.reserved = 1000;
    document.trials[0].memory.peak.reservedOtherAddresses = 1011;
    document.trials[1].memory.peak.reservedOtherAddresses = 995;
    EXPECT_NE(
        resultsReport(document).sections.front().after.find("in the other order of addresses it is -0.5 % to +1.1 %."),
        std::string::npos);
}

TEST(ResultsReportTest, measuredResultsHaveNoFootnote)
{
    ResultsDocument document = results();
    document.trials.resize(1);
    EXPECT_EQ(resultsReport(document).sections.front().after, "");
}

TEST(ResultsReportTest, outOfMemoryRowsSayTheWholeNeed)
{
    const Table table = resultsReport(results()).sections.front().table;
    EXPECT_EQ(column(table, "outcome"), (std::vector<std::string>{"completed", "out of memory", "skipped"}));
    EXPECT_EQ(
        column(table, "remark").at(1), "needs 31.5 GiB, 17.0 more than usable; first failed in forward for 2 GiB");
    EXPECT_EQ(column(table, "needs (GiB)"), (std::vector<std::string>{"-", "31.5", "-"}));
}

TEST(ResultsReportTest, numbersHaveTheirUnitAndUnknownOnesAreNotBlank)
{
    const Table table = resultsReport(results()).sections.front().table;
    EXPECT_EQ(column(table, "peak allocated (GiB)"), (std::vector<std::string>{"1.500", "-", "-"}));
    EXPECT_EQ(column(table, "steps/s"), (std::vector<std::string>{"4.000", "-", "-"}));
    EXPECT_EQ(column(table, "step (ms)"), (std::vector<std::string>{"250.0", "-", "-"}));
    for (const auto& row : table.rows())
        EXPECT_EQ(std::count(row.begin(), row.end(), ""), 0);
}

TEST(ResultsReportTest, longReasonsAreShortenedInTheTableOnly)
{
    RepeatResult failed;
    failed.reason = "the worker said:\n" + std::string(5000, 'x');
    ResultsDocument document;
    document.trials.push_back(trialResult("report", plan().front(), {failed}));
    const Report report = resultsReport(document);
    EXPECT_LT(column(report.sections.front().table, "remark").front().size(), 130u);
    EXPECT_EQ(OrderedJson::parse(printed(report, OutputFormat::JsonLines)).at("reason"), failed.reason);
}

TEST(ResultsReportTest, columnsThatNobodyKnowsAreLeftOut)
{
    EXPECT_TRUE(column(resultsReport(results()).sections.front().table, "peak reserved (B)").empty());
}

TEST(ResultsReportTest, recordsAreTheTrialsAsTheyAre)
{
    const ResultsDocument document = results();
    const Report report = resultsReport(document);
    const std::string lines = printed(report, OutputFormat::JsonLines);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3);
    EXPECT_EQ(OrderedJson::parse(lines.substr(0, lines.find('\n'))), toJson(document.trials.front()));
    EXPECT_EQ(printed(report, OutputFormat::Json), toJson(document).dump(2) + "\n");
}

} // namespace
} // namespace headroom::cli::results_report_test
