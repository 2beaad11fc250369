// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/JUnitReport.h"

#include "tests/app/cli/run/BatchFixture.h"
#include "tests/app/cli/run/JUnitFile.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using experiments::BudgetResult;
using experiments::OrderedJson;
using experiments::TrialResult;
using testing::HasSubstr;

class JUnitReportTest : public testing::Test {
protected:
    OrderedJson read(const FinishedRun& run) const
    {
        return readJUnit(m_folder.write("junit.xml", junitXml(run)).string());
    }

    TemporaryFolder m_folder;
};

TEST_F(JUnitReportTest, everyTrialIsATestCaseOfItsExperimentModelAndDevice)
{
    FinishedRun run = batchRun({batchResult("1", Outcome::Completed), batchResult("2", Outcome::Completed)}, {});
    run.shard = "2/4";
    const OrderedJson junit = read(run);
    EXPECT_EQ(junit.at("suite").at("name"), "sweep");
    EXPECT_EQ(junit.at("suite").at("tests"), "2");
    EXPECT_EQ(junit.at("suite").at("failures"), "0");
    EXPECT_EQ(junit.at("properties").at("shard"), "2/4");
    EXPECT_EQ(junit.at("properties").at("exit_code"), "0");
    const OrderedJson& first = junit.at("cases").at(0);
    EXPECT_EQ(first.at("name"), "trial 1");
    EXPECT_EQ(first.at("classname"), "sweep/ffn-stack/sim:t4");
    EXPECT_EQ(first.at("properties").at("trial_id"), "1");
    EXPECT_EQ(first.at("properties").at("memory.peak.reserved_bytes"), "2097152");
    EXPECT_EQ(first.at("properties").at("speed.steps_per_second"), "2.5");
    EXPECT_FALSE(first.at("properties").contains("memory.peak.device_bytes"));
    EXPECT_THAT(first.at("system_out").get<std::string>(), HasSubstr("predicted"));
}

TEST_F(JUnitReportTest, eachStandingHasItsElement)
{
    TrialResult failed = batchResult("3", Outcome::Failed);
    failed.reason = "the worker crashed";
    TrialResult skipped = batchResult("4", Outcome::Skipped);
    skipped.reason = "of no interest";
    TrialResult outOfMemory = batchResult("5", Outcome::OutOfMemory);
    outOfMemory.reason = "8 bytes missing";
    TrialResult unsteady = batchResult("6", Outcome::Completed);
    unsteady.addFlag("not_steady", "repeat 0 drifts");
    const OrderedJson junit =
        read(batchRun({batchResult("1", Outcome::Completed), batchResult("2", Outcome::Completed), failed, skipped,
                          outOfMemory, unsteady, batchResult("7", Outcome::TimedOut)},
            {batchVerdict("1", BudgetResult::Exceeded, "too much"),
                batchVerdict("2", BudgetResult::Undecided, "unknown"), batchVerdict("4", BudgetResult::Held, "fine")}));
    const OrderedJson& cases = junit.at("cases");
    EXPECT_EQ(cases.at(0).at("failure").at("message"), "exceeded: small: too much");
    EXPECT_EQ(cases.at(0).at("failure").at("type"), "budget");
    EXPECT_EQ(cases.at(1).at("error").at("message"), "undecided: small: unknown");
    EXPECT_EQ(cases.at(2).at("error").at("message"), "failed: the worker crashed");
    EXPECT_EQ(cases.at(2).at("error").at("type"), "failed");
    EXPECT_EQ(cases.at(3).at("skipped").at("message"), "skipped: of no interest");
    for (const char* kind : {"failure", "error", "skipped"})
        EXPECT_TRUE(cases.at(4).at(kind).is_null()) << kind;
    EXPECT_THAT(cases.at(4).at("system_out").get<std::string>(), HasSubstr("out of memory: 8 bytes missing"));
    EXPECT_EQ(cases.at(5).at("error").at("message"), "not_steady: repeat 0 drifts");
    EXPECT_EQ(cases.at(6).at("error").at("type"), "timed_out");
    EXPECT_EQ(junit.at("suite").at("failures"), "1");
    EXPECT_EQ(junit.at("suite").at("errors"), "4");
    EXPECT_EQ(junit.at("suite").at("skipped"), "1");
}

TEST_F(JUnitReportTest, outOfMemoryIsAFailureWhereABudgetSaysSo)
{
    const OrderedJson junit = read(batchRun(
        {batchResult("1", Outcome::OutOfMemory)}, {batchVerdict("1", BudgetResult::Exceeded, "has to complete")}));
    EXPECT_EQ(junit.at("cases").at(0).at("failure").at("message"), "exceeded: small: has to complete");
}

TEST_F(JUnitReportTest, outOfMemorySaysTheWholeNeed)
{
    TrialResult record = batchResult("1", Outcome::OutOfMemory);
    record.reason = "out of memory: 2097152 bytes requested";
    record.outOfMemory = protocol::OutOfMemoryFacts{"forward", 2 * kMiB, kMiB};
    record.memory.need = {5 * kMiB, 3 * kMiB};
    const OrderedJson junit = read(batchRun({record}, {}));
    const OrderedJson& testCase = junit.at("cases").at(0);
    EXPECT_THAT(testCase.at("system_out").get<std::string>(),
        HasSubstr("out of memory: needs 5.00 MiB, 3.00 more than usable; first failed in forward for 2 MiB"));
    EXPECT_EQ(testCase.at("properties").at("memory.needed_bytes"), "5242880");
    EXPECT_EQ(testCase.at("properties").at("memory.missing_bytes"), "3145728");
}

TEST_F(JUnitReportTest, hostileTextStaysText)
{
    const std::string hostile = "<&\"'>\x01\x1b[31m\xff\xc3(\n\tend]]>\xEF\xBF\xBF";
    TrialResult record = batchResult("1", Outcome::Failed);
    record.label = hostile;
    record.reason = hostile;
    FinishedRun run = batchRun({record}, {batchVerdict("1", BudgetResult::Exceeded, hostile)});
    run.results.experiment = hostile;
    const std::string expected = "<&\"'>\uFFFD\uFFFD[31m\uFFFD\uFFFD(\n\tend]]>\uFFFD";
    const OrderedJson junit = read(run);
    EXPECT_EQ(junit.at("suite").at("name"), expected);
    EXPECT_EQ(junit.at("cases").at(0).at("name"), expected);
    EXPECT_EQ(junit.at("cases").at(0).at("error").at("message"), "failed: " + expected);
    EXPECT_EQ(junit.at("cases").at(0).at("error").at("text"), "failed: " + expected + "\nexceeded: small: " + expected);
}

// The counts must not depend on the bytes: each of the 256 occurs next to every other one.
TEST_F(JUnitReportTest, noBytesBreakTheFile)
{
    std::string all;
    for (int a = 0; a < 256; ++a)
        for (int b = 0; b < 256; ++b)
            all += {static_cast<char>(a), static_cast<char>(b)};
    TrialResult record = batchResult("1", Outcome::Failed);
    record.reason = all;
    EXPECT_EQ(read(batchRun({record}, {})).at("suite").at("errors"), "1");
}

} // namespace
} // namespace headroom::cli
