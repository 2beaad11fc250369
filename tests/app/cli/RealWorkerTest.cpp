// SPDX-License-Identifier: Apache-2.0
//
// The program with headroom-worker itself: what it records is what docs/contract.md lists.
#include "core/config/Bytes.h"
#include "profiling/store/Workspace.h"
#include "tests/app/cli/DocumentedKeys.h"
#include "tests/app/cli/Program.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;

class RealWorker : public Program {
protected:
    void SetUp() override
    {
#ifdef REAL_WORKER
        setVariable("HEADROOM_WORKER", REAL_WORKER);
#else
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }
};

TEST_F(RealWorker, measuresAndPredictsWithTheDocumentedKeysOnly)
{
    const Ended ended = run("run --model ffn-stack-tiny --split-ffn off,2 --device cpu,sim:t4 --quick --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    DocumentedKeys keys("trial");
    for (const OrderedJson& trial : ended.json("trials")) {
        EXPECT_THAT(keys.undocumented(trial), IsEmpty());
        EXPECT_EQ(trial.at("outcome"), "completed");
        EXPECT_TRUE(trial.at("memory").at("peak").at("allocated_bytes").is_number());
        const bool isSplit = trial.at("techniques").at("split_ffn") == "2";
        EXPECT_EQ(trial.at("engagement").at("split_ffn").value("layers_split", 0), isSplit ? 2 : 0) << trial;
    }
}

TEST_F(RealWorker, checkpointingTrialsProveWhatTheyDid)
{
    const Ended ended = run("run --model ffn-stack-tiny --set model.num_layers=4 --set workload.step=forward_backward "
                            "--checkpointing every:2@0,skip:3 --split-ffn 2:recompute --device cpu,sim:cpu --quick "
                            "--format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson trials = ended.json("trials");
    ASSERT_EQ(trials.size(), 4U);
    for (const OrderedJson& trial : trials) {
        const bool isEvery = trial.at("techniques").at("checkpointing") == "every:2";
        EXPECT_EQ(trial.at("engagement").at("checkpointing").dump(),
            isEvery ? R"({"blocks_checkpointed":2,"blocks_recomputed":2,"bytes_to_host":0,"ops_recomputed":0})"
                    : R"({"blocks_checkpointed":3,"blocks_recomputed":3,"bytes_to_host":0,"ops_recomputed":0})");
        EXPECT_EQ(trial.at("effective").at("checkpointing"),
            (isEvery ? "2" : "3") + std::string(" of 4 blocks checkpointed"));
        EXPECT_EQ(trial.at("engagement").at("split_ffn").at("slices_recomputed"), isEvery ? 12 : 14);
    }
    const auto peak = [&](std::size_t index) { return trials.at(index).at("memory").at("peak").at("allocated_bytes"); };
    EXPECT_EQ(peak(0), peak(2)) << "cpu and sim:cpu";
    EXPECT_EQ(peak(1), peak(3));
}

TEST_F(RealWorker, theCpuHasNoReservedBytesAndPredictionsHave)
{
    const Ended ended = run("run --model ffn-stack-tiny --device cpu,sim:t4 --quick --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson trials = ended.json("trials");
    EXPECT_TRUE(trials.at(0).at("memory").at("peak").at("reserved_bytes").is_null());
    EXPECT_TRUE(trials.at(0).at("memory").at("peak").at("device_bytes").is_null());
    EXPECT_GT(trials.at(1).at("memory").at("peak").at("reserved_bytes").get<Bytes>(), 0);
    EXPECT_EQ(trials.at(1).at("memory").at("fits"), true);
}

TEST_F(RealWorker, aLimitThatIsTooSmallIsOutOfMemory)
{
    const Ended ended = run("run --model ffn-stack-tiny --set model.dim=1024 --device sim:t4 "
                            "--set device.memory_limit_bytes=4194304 --format json");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson trial = ended.json("trials").at(0);
    EXPECT_EQ(trial.at("outcome"), "out_of_memory");
    EXPECT_GT(trial.at("oom").at("missing_bytes").get<Bytes>(), 0);
    EXPECT_EQ(trial.at("memory").at("fits"), false);
    DocumentedKeys keys("trial");
    EXPECT_THAT(keys.undocumented(trial), IsEmpty());
}

TEST_F(RealWorker, theDoctorFindsIt)
{
    EXPECT_EQ(run("doctor").exitCode, 0);
}

TEST_F(RealWorker, onlyTheChosenTrialsAreTraced)
{
    const Ended ended = run({"run", "--model", "ffn-stack-tiny", "--device", "sim:t4", "--split-ffn", "off,2,4",
        "--trace-filter", "split_ffn=2,4", "--workspace", "w.db", "--format", "json"});
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    auto workspace = store::Workspace::open(path("w.db"), store::Access::ReadOnly);
    std::vector<std::size_t> tracks;
    for (const OrderedJson& trial : ended.json("trials")) {
        const auto row = workspace.findTrial(trial.at("trial_id").get<std::string>());
        tracks.push_back(workspace.trace().tracks(workspace.repeats(row->id).at(0).id).size());
    }
    EXPECT_EQ(tracks, (std::vector<std::size_t>{0, 1, 1}));
}

TEST_F(RealWorker, aTraceFilterThatNoTrialMeetsIsBadUsage)
{
    const Ended ended =
        run({"run", "--model", "ffn-stack-tiny", "--device", "sim:t4", "--trace-filter", "split_ffn=8"});
    EXPECT_EQ(ended.exitCode, 2);
    EXPECT_THAT(ended.err, HasSubstr("--trace-filter"));
}

} // namespace
} // namespace headroom::cli
