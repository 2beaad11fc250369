// SPDX-License-Identifier: Apache-2.0
//
// `headroom plan` with headroom-worker itself, on models whose simulation takes milliseconds.
#include "core/base/Bytes.h"
#include "core/base/ShellWords.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <thread>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class RealPlanTest : public Program {
protected:
    void SetUp() override
    {
#ifdef REAL_WORKER
        setVariable("HEADROOM_WORKER", REAL_WORKER);
#else
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }

    // A small language model with long sequences, so that what is saved for the backward pass counts.
    const std::string m_model = "--model llama-tiny --trainable lora:4 --optimizer adamw --sequence-length 2048 "
                                "--dtype bfloat16 --set model.num_hidden_layers=4 --seconds 300 --device sim:t4";

    OrderedJson planned(const std::string& arguments, int exitCode = 0)
    {
        const Ended ended = run("plan " + m_model + " --format json " + arguments);
        EXPECT_EQ(ended.exitCode, exitCode) << ended.err;
        return ended.json();
    }

    // Every combination of these techniques as a sweep.
    OrderedJson sweep(const std::string& axes)
    {
        std::string model = m_model;
        model.erase(model.find("--seconds 300"), std::string("--seconds 300 ").size());
        return run("run " + model + " " + axes + " --format json").json("trials");
    }
};

double secondsOf(const OrderedJson& trial)
{
    return trial.at("speed").at("step_seconds_median").get<double>();
}

TEST_F(RealPlanTest, isAsGoodAsAnyTrialOfTheWholeSweep)
{
    const std::string memory = "--set device.memory_limit_bytes=629145600 ";
    const std::string fixed = "--forbid offload,attention,casting,batch --keep optimizer "
                              "--forbid checkpointing=all+offload ";
    const OrderedJson document = planned(memory + fixed + "--simulations 2000");
    ASSERT_FALSE(document.at("answer").is_null()) << document.dump(1);
    EXPECT_EQ(document.at("considered"), document.at("combinations"));
    const OrderedJson trials = sweep(memory
        + "--checkpointing none,all,every:2,every:3,every:4,except:2,except:3,except:4,blocks:0-2,blocks:0-1,blocks:0,"
          "blocks:1-3,blocks:2-3,blocks:3,ops,ops:mm/2,ops:mm/4,ops:mm/8 --split-ffn off,2:recompute,4:recompute,"
          "8:recompute");
    double best = 0;
    for (const OrderedJson& trial : trials)
        if (trial.at("outcome") == "completed" && trial.at("memory").at("fits") == true
            && (best == 0 || secondsOf(trial) < best))
            best = secondsOf(trial);
    ASSERT_GT(best, 0);
    EXPECT_LE(secondsOf(document.at("answer")), best * 1.005);
    EXPECT_EQ(document.at("answer").at("memory").at("fits"), true);
    EXPECT_LE(document.at("proven_gap").get<double>(), 0.005);
    EXPECT_LT(document.at("order_violation").get<double>(), 0.005);
}

TEST_F(RealPlanTest, theLineAndTheSpecRunTheAnswer)
{
    const OrderedJson document = planned("--memory 1GiB --forbid offload,attention --write-spec answer.toml");
    std::vector<std::string> words = experiments::shellWords(document.at("command").get<std::string>());
    ASSERT_EQ(words.at(1), "run");
    words.erase(words.begin());
    words.insert(words.end(), {"--format", "json"});
    const OrderedJson ran = run(words).json("trials").at(0);
    for (const char* key : {"trial_id", "outcome", "memory", "speed"})
        EXPECT_EQ(ran.at(key), document.at("answer").at(key)) << key;
    EXPECT_EQ(run("run ./answer.toml --dry-run --format json").json("trials").at(0).at("trial_id"), ran.at("trial_id"));
}

TEST_F(RealPlanTest, aPlanForATrainerHasItsSettingsAlone)
{
    const OrderedJson document = planned("--for transformers");
    EXPECT_EQ(document.at("for"), "transformers");
    EXPECT_THAT(document.at("not_offered").get<std::vector<std::string>>(), Contains("casting e4m3"));
    ASSERT_FALSE(document.at("front").empty());
    for (const OrderedJson& choice : document.at("choices")) {
        std::vector<std::string> words = experiments::shellWords(choice.at("command").get<std::string>());
        ASSERT_EQ(words.at(1), "run");
        words.erase(words.begin());
        words.front() = "settings";
        words.insert(words.end(), {"--for", "transformers", "--format", "json"});
        for (const OrderedJson& lacking : run(words).json().at("lacking"))
            EXPECT_FALSE(lacking.at("path").get<std::string>().starts_with("techniques.")) << lacking;
    }
    EXPECT_TRUE(planned("--forbid offload,attention --memory 1GiB").at("for").is_null());
}

TEST_F(RealPlanTest, theAnswerStandsInTheFirstLines)
{
    const Ended ended = run("plan " + m_model + " --forbid offload,attention --memory 1GiB");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.out, StartsWith("Use "));
    const std::size_t command = ended.out.find("headroom run");
    ASSERT_NE(command, std::string::npos);
    EXPECT_LT(std::count(ended.out.begin(), ended.out.begin() + static_cast<std::ptrdiff_t>(command), '\n'), 4);
    EXPECT_THAT(ended.out, HasSubstr("\nPlanned for: train, "));
    EXPECT_THAT(ended.out, AllOf(HasSubstr("Memory against speed"), HasSubstr("Why not"), HasSubstr("least memory")));
}

// The worker's own words for a budget that is too small count as not fitting.
TEST_F(RealPlanTest, aFillWithABudgetFindsTheEdgeOfTheBudget)
{
    const OrderedJson row = run("fill --model ltx-video-tiny --step train --checkpointing budget:20MiB --axis batch "
                                "--device sim:t4 --format json")
                                .json("rows")
                                .at(0);
    EXPECT_EQ(row.at("end"), "found") << row.at("reason");
    ASSERT_TRUE(row.at("value").is_number()) << row.dump(1);
    EXPECT_EQ(row.at("next_value").get<int>(), row.at("value").get<int>() + 1);
    EXPECT_LT(row.at("needed_bytes").get<double>(), row.at("usable_bytes").get<double>() / 10) << "the card is large";
}

TEST_F(RealPlanTest, aCardWithoutACostSaysWhy)
{
    const Ended ended =
        run("cost --model ltx-video-tiny --step train --checkpointing budget:2MiB --steps 10 --device sim:t4");
    EXPECT_THAT(ended.out, AllOf(HasSubstr("not known"), HasSubstr("budget:2MiB: a step needs at least ")))
        << ended.err;
}

// Who gives the model alone may mean training, and certainly not weights of twice the size.
TEST_F(RealPlanTest, inferenceInAnotherDtypeThanThatOfTheWeightsIsSaid)
{
    const std::string inference = "plan --model ltx-video-tiny --device sim:t4";
    EXPECT_THAT(run(inference).out,
        HasSubstr(" (its weights are published as bfloat16: --dtype bfloat16; training: --trainable lora:16 or all)"));
    EXPECT_THAT(run(inference + " --dtype bfloat16").out, testing::Not(HasSubstr("its weights")));
}

TEST_F(RealPlanTest, everyReasonSpeaksOfANeighbour)
{
    const OrderedJson document = planned("--memory 1GiB --forbid offload");
    ASSERT_FALSE(document.at("reasons").empty());
    for (const OrderedJson& reason : document.at("reasons")) {
        EXPECT_NE(reason.at("trial_id"), document.at("answer").at("trial_id"));
        EXPECT_THAT(reason.at("text").get<std::string>(), AllOf(StartsWith("With "), testing::EndsWith(".")));
    }
}

TEST_F(RealPlanTest, keepsWhatIsKept)
{
    const OrderedJson document =
        planned("--memory 1GiB --keep checkpointing=every:2,casting=off --keep offload=block:1 --forbid attention");
    for (const OrderedJson& trial : document.at("front")) {
        EXPECT_EQ(trial.at("techniques").at("checkpointing"), "every:2");
        EXPECT_EQ(trial.at("techniques").at("casting"), "off");
        EXPECT_EQ(trial.at("techniques").at("offload"), "block:1");
        EXPECT_EQ(trial.at("techniques").at("trainable"), "lora:4");
    }
}

TEST_F(RealPlanTest, theEffectiveBatchStays)
{
    const OrderedJson document =
        planned("--batch 4 --set device.memory_limit_bytes=629145600 --forbid offload,attention,casting,split_ffn");
    for (const OrderedJson& trial : document.at("front"))
        EXPECT_EQ(trial.at("workload").at("batch").get<int>() * trial.at("workload").at("accumulate").get<int>(), 4);
}

TEST_F(RealPlanTest, whereNothingFitsItSaysWhatIsLeastNeeded)
{
    const OrderedJson document =
        planned("--set device.memory_limit_bytes=2097152 --forbid offload,attention,casting,split_ffn", 1);
    EXPECT_EQ(document.at("end"), "nothing_fits");
    EXPECT_TRUE(document.at("answer").is_null());
    EXPECT_TRUE(document.at("least_memory").is_null());
    EXPECT_TRUE(document.at("command").is_null());
    EXPECT_TRUE(document.at("proven_gap").is_null());
    EXPECT_TRUE(document.at("front").empty());
    EXPECT_THAT(document.at("text").get<std::string>(), HasSubstr("What needs least"));
}

TEST_F(RealPlanTest, whatIsMeasuredIsComparedWithThePrediction)
{
    const OrderedJson document = planned("--memory 1GiB --quick --forbid offload,attention,casting --verify cpu");
    ASSERT_FALSE(document.at("verification").empty());
    for (const OrderedJson& row : document.at("verification")) {
        EXPECT_EQ(row.at("held"), true) << row.at("text");
        EXPECT_EQ(row.at("trial").at("device"), "cpu");
        EXPECT_EQ(row.at("trial").at("predicted"), false);
        EXPECT_GT(row.at("measured_step_seconds").get<double>(), 0);
        EXPECT_TRUE(row.at("predicted_step_seconds").is_null());
    }
}

TEST_F(RealPlanTest, aFewSimulationsLeaveAGap)
{
    const OrderedJson document = planned("--memory 1GiB --simulations 8");
    EXPECT_LT(document.at("simulations").get<int>(), 8 + 8);
    EXPECT_GT(document.at("proven_gap").get<double>(), 0);
    EXPECT_LT(document.at("considered").get<int>(), document.at("combinations").get<int>());
}

TEST_F(RealPlanTest, aSignalEndsItWithWhatIsThere)
{
    for (const int signal : {SIGINT, SIGTERM}) {
        const Ended ended = run({"plan", "--model", "ltx-video-2b", "--trainable", "lora:4", "--device", "sim:t4",
                                    "--seconds", "300", "--format", "json"},
            [&](pid_t program) {
                std::this_thread::sleep_for(std::chrono::seconds(3));
                ::kill(program, signal);
            });
        EXPECT_EQ(ended.exitCode, 130) << ended.err;
        EXPECT_THAT(ended.err, HasSubstr("stopping"));
        EXPECT_EQ(ended.json("end"), "cancelled");
        EXPECT_EQ(ended.json("schema"), "headroom.plan/1");
    }
}

TEST_F(RealPlanTest, everyFormatHasIt)
{
    const std::string plan = "plan " + m_model + " --memory 1GiB --forbid offload,attention,casting --format ";
    EXPECT_THAT(run(plan + "md").out, HasSubstr("## Why not"));
    EXPECT_THAT(run(plan + "csv").out, HasSubstr("needed_bytes"));
    const Ended lines = run(plan + "jsonl");
    EXPECT_EQ(OrderedJson::parse(lines.out.substr(0, lines.out.find('\n'))).at("changes").is_array(), true);
    EXPECT_THAT(lines.err, HasSubstr("Use "));
}

} // namespace
} // namespace headroom::cli
