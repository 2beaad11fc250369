// SPDX-License-Identifier: Apache-2.0
//
// The program with headroom-worker itself: it records what docs/contract.md lists.
#include "core/base/Bytes.h"
#include "experiments/results/Shortage.h"
#include "experiments/results/TrialRecordJson.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/app/cli/program/DocumentedKeys.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

class RealWorkerTest : public Program {
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

TEST_F(RealWorkerTest, measuresAndPredictsWithTheDocumentedKeysOnly)
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

TEST_F(RealWorkerTest, checkpointingTrialsProveWhatTheyDid)
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

TEST_F(RealWorkerTest, theCpuHasNoReservedBytesAndPredictionsHave)
{
    const Ended ended = run("run --model ffn-stack-tiny --device cpu,sim:t4 --quick --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson trials = ended.json("trials");
    EXPECT_TRUE(trials.at(0).at("memory").at("peak").at("reserved_bytes").is_null());
    EXPECT_TRUE(trials.at(0).at("memory").at("peak").at("device_bytes").is_null());
    EXPECT_GT(trials.at(1).at("memory").at("peak").at("reserved_bytes").get<Bytes>(), 0);
    EXPECT_EQ(trials.at(1).at("memory").at("fits"), true);
}

TEST_F(RealWorkerTest, aLimitThatIsTooSmallIsOutOfMemory)
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

// For a trial that does not fit, tables, JUnit files and reports state what the same trial takes on a card without the
// limit, and the record contains it.
TEST_F(RealWorkerTest, whatDoesNotFitSaysItsWholeNeed)
{
    const std::string trial = "run --model ffn-stack-tiny --set model.dim=1024 --workspace w.db --device sim:t4 ";
    const Ended table = run(trial + "--set device.memory_limit_bytes=4194304 --junit j.xml --summary s.md");
    const OrderedJson fits = run(trial + "--format json").json("trials").at(0);
    const OrderedJson tooLarge =
        run(trial + "--set device.memory_limit_bytes=4194304 --format json").json("trials").at(0);
    const auto memory = [](const OrderedJson& record, const char* key) {
        return record.at("memory").at(key).get<Bytes>();
    };
    EXPECT_EQ(memory(tooLarge, "needed_bytes"), memory(fits, "needed_bytes"));
    const Bytes context = fits.at("memory").at("peak").at("device_bytes").get<Bytes>()
        - fits.at("memory").at("peak").at("reserved_bytes").get<Bytes>();
    EXPECT_EQ(memory(tooLarge, "missing_bytes"), memory(tooLarge, "needed_bytes") - context - 4194304);
    EXPECT_GT(memory(tooLarge, "missing_bytes"), tooLarge.at("oom").at("missing_bytes").get<Bytes>());
    const std::string sentence = experiments::shortageText(experiments::trialResultFromJson(tooLarge));
    EXPECT_THAT(sentence, MatchesRegex("needs [0-9.]+ GiB, [0-9.]+( MiB)? more than usable; first failed in .+"));
    EXPECT_THAT(table.out, HasSubstr(sentence));
    EXPECT_THAT(contents("j.xml"), HasSubstr("out of memory: " + sentence));
    EXPECT_THAT(contents("s.md"), HasSubstr("out of memory: " + sentence));
    for (const char* report : {"r.md", "r.html"}) {
        EXPECT_EQ(run("report w.db -o " + std::string(report)).exitCode, 0);
        EXPECT_THAT(contents(report), HasSubstr(sentence)) << report;
    }
    EXPECT_EQ(run("report w.db -o r.csv").exitCode, 0);
    EXPECT_THAT(contents("r.csv"),
        HasSubstr("," + std::to_string(memory(tooLarge, "needed_bytes")) + ","
            + std::to_string(memory(tooLarge, "missing_bytes")) + ","));
}

TEST_F(RealWorkerTest, whatFitsLacksNothingAndTheProcessorHasNoNeed)
{
    const OrderedJson trials =
        run("run --model ffn-stack-tiny --device cpu,sim:cpu,sim:t4 --quick --format json").json("trials");
    for (const std::size_t processor : {0, 1})
        for (const char* key : {"needed_bytes", "missing_bytes"})
            EXPECT_TRUE(trials.at(processor).at("memory").at(key).is_null()) << processor << " " << key;
    const OrderedJson& card = trials.at(2).at("memory");
    Bytes most = 0;
    for (const char* moment : {"after_load", "first_step_peak", "peak"})
        most = std::max(most, card.at(moment).at("device_bytes").get<Bytes>());
    EXPECT_EQ(card.at("needed_bytes"), most);
    EXPECT_EQ(card.at("missing_bytes"), 0);
}

TEST_F(RealWorkerTest, theDoctorFindsIt)
{
    EXPECT_EQ(run("doctor").exitCode, 0);
}

TEST_F(RealWorkerTest, onlyTheChosenTrialsAreTraced)
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

TEST_F(RealWorkerTest, aTraceFilterThatNoTrialMeetsIsBadUsage)
{
    const Ended ended =
        run({"run", "--model", "ffn-stack-tiny", "--device", "sim:t4", "--trace-filter", "split_ffn=8"});
    EXPECT_EQ(ended.exitCode, 2);
    EXPECT_THAT(ended.err, HasSubstr("--trace-filter"));
}

} // namespace
} // namespace headroom::cli
