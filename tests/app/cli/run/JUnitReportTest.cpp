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
    FinishedRun run = batchRun({batchRecord("1", "completed"), batchRecord("2", "completed")}, {});
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
    OrderedJson failed = batchRecord("3", "failed");
    failed["reason"] = "the worker crashed";
    OrderedJson skipped = batchRecord("4", "skipped");
    skipped["reason"] = "of no interest";
    OrderedJson outOfMemory = batchRecord("5", "out_of_memory");
    outOfMemory["reason"] = "8 bytes missing";
    OrderedJson unsteady = batchRecord("6", "completed");
    unsteady["flags"] = {"not_steady"};
    unsteady["flag_reasons"] = {"not_steady: repeat 0 drifts"};
    const OrderedJson junit = read(batchRun({batchRecord("1", "completed"), batchRecord("2", "completed"), failed,
                                                skipped, outOfMemory, unsteady, batchRecord("7", "timed_out")},
        {batchVerdict("1", BudgetResult::Exceeded, "too much"), batchVerdict("2", BudgetResult::Undecided, "unknown"),
            batchVerdict("4", BudgetResult::Held, "fine")}));
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
    const OrderedJson junit = read(
        batchRun({batchRecord("1", "out_of_memory")}, {batchVerdict("1", BudgetResult::Exceeded, "has to complete")}));
    EXPECT_EQ(junit.at("cases").at(0).at("failure").at("message"), "exceeded: small: has to complete");
}

TEST_F(JUnitReportTest, outOfMemorySaysTheWholeNeed)
{
    OrderedJson record = batchRecord("1", "out_of_memory");
    record["reason"] = "out of memory: 2097152 bytes requested";
    record["oom"] = {{"phase", "forward"}, {"requested_bytes", 2 << 20}, {"missing_bytes", 1 << 20}};
    record["memory"]["needed_bytes"] = 5 << 20;
    record["memory"]["missing_bytes"] = 3 << 20;
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
    OrderedJson record = batchRecord("1", "failed");
    record["label"] = hostile;
    record["reason"] = hostile;
    FinishedRun run = batchRun({record}, {batchVerdict("1", BudgetResult::Exceeded, hostile)});
    run.results.experiment = hostile;
    const std::string expected = "<&\"'>\uFFFD\uFFFD[31m\uFFFD\uFFFD(\n\tend]]>\uFFFD";
    const OrderedJson junit = read(run);
    EXPECT_EQ(junit.at("suite").at("name"), expected);
    EXPECT_EQ(junit.at("cases").at(0).at("name"), expected);
    EXPECT_EQ(junit.at("cases").at(0).at("error").at("message"), "failed: " + expected);
    EXPECT_EQ(junit.at("cases").at(0).at("error").at("text"), "failed: " + expected + "\nexceeded: small: " + expected);
}

// The same numbers whatever the bytes are: every one of the 256 next to every other.
TEST_F(JUnitReportTest, noBytesBreakTheFile)
{
    std::string all;
    for (int a = 0; a < 256; ++a)
        for (int b = 0; b < 256; ++b)
            all += {static_cast<char>(a), static_cast<char>(b)};
    OrderedJson record = batchRecord("1", "failed");
    record["reason"] = all;
    EXPECT_EQ(read(batchRun({record}, {})).at("suite").at("errors"), "1");
}

} // namespace
} // namespace headroom::cli
