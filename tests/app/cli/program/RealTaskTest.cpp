// SPDX-License-Identifier: Apache-2.0
//
// Two questions as people type them, answered by headroom-worker itself: they ask for training, and the model is
// trained.
#include "core/base/Bytes.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

namespace headroom::cli::real_task_test {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;

class RealTaskTest : public Program {
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

constexpr const char* kLtx =
    "run --model ltx-video-13b --set workload.frames=121 --set workload.height=512 --set workload.width=768 "
    "--trainable lora:32 --optimizer adamw --casting e4m3 --checkpointing all,every:2,except:4 --device sim:rtx4090 ";
constexpr const char* kLtxTask =
    "train, bfloat16, batch 1, 121 frames of 512 x 768, 6,144 tokens, loss mean, trainable lora:32, "
    "optimizer adamw:foreach (train, because "
    "--trainable was given; --step inference asks for the other)";

TEST_F(RealTaskTest, loraOfLtxVideoOnACardOf24GibIsTrained)
{
    const Ended ended = run(kLtx + std::string("--format json"));
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson trials = ended.json("trials");
    ASSERT_EQ(trials.size(), 3U);
    for (const OrderedJson& trial : trials) {
        EXPECT_EQ(trial.at("workload").at("step"), "train");
        EXPECT_EQ(trial.at("workload").at("dtype"), "bfloat16");
        EXPECT_EQ(trial.at("flags"), OrderedJson::array()) << trial.at("flag_reasons");
    }
    EXPECT_EQ(trials.at(0).at("outcome"), "completed") << "every block checkpointed fits";
    EXPECT_EQ(trials.at(0).at("memory").at("fits"), true);
    EXPECT_EQ(trials.at(0).at("engagement").at("checkpointing").at("blocks_recomputed"), 48);
    EXPECT_GT(trials.at(0).at("engagement").at("optimizer").at("state_bytes").get<Bytes>(), 0);
    for (const std::size_t other : {1U, 2U})
        EXPECT_EQ(trials.at(other).at("outcome"), "out_of_memory") << trials.at(other).at("label");
}

TEST_F(RealTaskTest, theTableSaysSo)
{
    const Ended ended = run(kLtx);
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr(std::string("\n") + kLtxTask + "\n"));
}

TEST_F(RealTaskTest, loraOfLlamaIsTrained)
{
    const Ended ended = run("run --model llama-3-8b --trainable lora:16 --checkpointing none,all --device sim:rtx4090 "
                            "--sequence-length 2048 --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson trials = ended.json("trials");
    for (const OrderedJson& trial : trials) {
        EXPECT_EQ(trial.at("workload").at("step"), "train");
        EXPECT_EQ(trial.at("workload").at("dtype"), "bfloat16");
    }
    EXPECT_EQ(trials.at(1).at("outcome"), "completed");
    EXPECT_EQ(trials.at(1).at("engagement").at("checkpointing").at("blocks_recomputed"), 32);
    EXPECT_GT(trials.at(1).at("engagement").at("trainable").at("trained_parameters").get<std::int64_t>(), 0);
}

TEST_F(RealTaskTest, whoAsksForInferenceGetsIt)
{
    const Ended ended = run("run --model llama-3-8b --trainable lora:16 --step inference --dtype bfloat16 --device "
                            "sim:rtx4090 --sequence-length 2048 --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson trial = ended.json("trials").at(0);
    EXPECT_EQ(trial.at("workload").at("step"), "inference");
    EXPECT_TRUE(trial.at("numerics").is_null() || trial.at("numerics").at("loss").is_null());
}

// torchtitan neither moves weights to the host nor splits feed-forwards.
TEST_F(RealTaskTest, settingsSayWhetherTheRestStillFits)
{
    const std::string llama =
        "settings --model llama-3-8b --trainable lora:4 --dtype bfloat16 --offload block:1 --for torchtitan";
    const Ended small = run(llama + " --device sim:t4");
    EXPECT_EQ(small.exitCode, 0);
    EXPECT_THAT(small.err, HasSubstr("If the trainer does without offload, it is predicted for sim:t4"));
    EXPECT_THAT(small.err, HasSubstr("Does not fit: needs "));
    EXPECT_THAT(run(llama + " --device sim:h100-80gb").err, HasSubstr("Fits: needs "));
    EXPECT_THAT(run(llama + " --device cpu").err, Not(HasSubstr("predicted")));
}

// A budget becomes blocks that run again as a whole, and a cast that is fetched ahead a plain one.
TEST_F(RealTaskTest, settingsPredictWhatTheirCodeDoes)
{
    const Ended budget = run("settings --model ltx-video-tiny --trainable lora:4 --checkpointing budget:2MiB --for "
                             "diffusers --device sim:t4");
    EXPECT_THAT(budget.err, HasSubstr("With checkpointing all, which the trainer has, it is predicted for sim:t4"));
    EXPECT_THAT(budget.err, HasSubstr(" steps/s"));
    const Ended cast = run("settings --model ltx-video-tiny --trainable lora:4 --casting e4m3 --set "
                           "casting.prefetch=true --for diffusers --device sim:t4");
    EXPECT_THAT(cast.err, HasSubstr("If the trainer does without casting.prefetch, it is predicted for sim:t4"));
}

} // namespace
} // namespace headroom::cli::real_task_test
