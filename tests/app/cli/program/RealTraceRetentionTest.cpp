// SPDX-License-Identifier: Apache-2.0
//
// How much space traces take in a workspace, and how it is freed.
#include "profiling/store/workspace/Workspace.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;

class RealTraceRetentionTest : public Program {
protected:
    void SetUp() override
    {
#ifdef REAL_WORKER
        setVariable("HEADROOM_WORKER", REAL_WORKER);
#else
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }

    Ended record(const std::string& layers, const std::string& more = {})
    {
        return run("run --model ffn-stack --set model.dim=64 --set workload.sequence_length=8 --device sim:t4 "
                   "--split-ffn off,8 --trace --workspace w.db --format json --set model.num_layers="
            + layers + more);
    }

    std::size_t tracedTrials() const
    {
        return store::Workspace::open(path("w.db"), store::Access::ReadWrite).traceBytes().size();
    }

    std::int64_t newestExperiment() const
    {
        return store::Workspace::open(path("w.db"), store::Access::ReadOnly).experiments().at(0).id;
    }
};

TEST_F(RealTraceRetentionTest, aDroppedTraceIsGoneAndItsResultStays)
{
    ASSERT_EQ(record("40").exitCode, 0);
    ASSERT_EQ(tracedTrials(), 2u);
    const Ended ended = run({"trace", "drop", "split_ffn 8", "--workspace", "w.db"});
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("1 trace dropped"));
    EXPECT_EQ(tracedTrials(), 1u);
    const Ended shown = run({"trace", "show", "split_ffn 8", "--workspace", "w.db"});
    EXPECT_EQ(shown.exitCode, 2);
    EXPECT_THAT(shown.err, HasSubstr("--trace"));
    EXPECT_EQ(run("report w.db -o out.json").exitCode, 0);
    EXPECT_EQ(OrderedJson::parse(contents("out.json")).at("trials").size(), 2u);
}

TEST_F(RealTraceRetentionTest, allTracesOfTheWorkspaceAreDroppedAndTheFileShrinksWithCompact)
{
    ASSERT_EQ(record("400").exitCode, 0);
    const auto before = std::filesystem::file_size(path("w.db"));
    EXPECT_EQ(run("trace drop --all --workspace w.db").exitCode, 0);
    EXPECT_EQ(tracedTrials(), 0u);
    EXPECT_EQ(run("trace compact --workspace w.db").exitCode, 0);
    EXPECT_LT(std::filesystem::file_size(path("w.db")), before / 2);
    EXPECT_EQ(run("report w.db -o out.json").exitCode, 0);
    EXPECT_THAT(run("trace drop --all --workspace w.db").err, HasSubstr("no trace"));
}

TEST_F(RealTraceRetentionTest, aTrialThatIsNotThereDropsNothing)
{
    ASSERT_EQ(record("4").exitCode, 0);
    const Ended ended = run({"trace", "drop", "split_ffn 8", "nonsense", "--workspace", "w.db"});
    EXPECT_EQ(ended.exitCode, 2);
    EXPECT_THAT(ended.err, HasSubstr("nonsense"));
    EXPECT_EQ(tracedTrials(), 2u);
    EXPECT_EQ(run("trace drop --workspace w.db").exitCode, 2);
    EXPECT_EQ(run({"trace", "drop", "--all", "split_ffn 8", "--workspace", "w.db"}).exitCode, 2);
    EXPECT_EQ(run("trace drop --all --workspace absent.db").exitCode, 5);
    EXPECT_FALSE(exists("absent.db"));
}

TEST_F(RealTraceRetentionTest, aLimitDropsTheOldestTracesAndSaysSo)
{
    ASSERT_EQ(record("400").exitCode, 0);
    const Ended ended = record("401", " --trace-limit 2MiB");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("dropped"));
    Bytes traced = 0;
    for (const auto& [trial, bytes] : store::Workspace::open(path("w.db"), store::Access::ReadWrite).traceBytes())
        traced += bytes;
    EXPECT_LE(traced, 2 * kMiB);
    EXPECT_EQ(newestExperiment(), 2);
}

TEST_F(RealTraceRetentionTest, aLimitThatIsNoSizeIsBadUsage)
{
    for (const char* size : {"0", "-1GiB", "2GB", "much", "1e30GiB", "GiB"}) {
        const Ended ended = run({"run", "--model", "ffn-stack-tiny", "--device", "sim:t4", "--trace-limit", size});
        EXPECT_EQ(ended.exitCode, 2) << size;
        EXPECT_THAT(ended.err, HasSubstr("--trace-limit")) << size;
    }
}

} // namespace
} // namespace headroom::cli
