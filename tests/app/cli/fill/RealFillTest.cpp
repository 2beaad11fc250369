// SPDX-License-Identifier: Apache-2.0
//
// `headroom fill` with headroom-worker itself.
#include "core/base/Bytes.h"
#include "core/base/ShellWords.h"
#include "core/config/catalogue/CombinationDraw.h"
#include "experiments/plan/fill/FillSearch.h"
#include "experiments/verdict/DeviceFit.h"
#include "tests/app/cli/program/Program.h"
#include "tests/support/Checkout.h"
#include "tests/support/EnvironmentVariable.h"

#include <gmock/gmock.h>

#include <array>
#include <random>

namespace headroom::cli::real_fill_test {
namespace {

using experiments::DeviceFit;
using experiments::FilledTrial;
using experiments::FillSearch;
using experiments::FillTask;
using experiments::OrderedJson;
using experiments::WorkloadAxis;
using testing::HasSubstr;

class RealFillTest : public Program {
protected:
    void SetUp() override
    {
#ifdef REAL_WORKER
        setVariable("HEADROOM_WORKER", REAL_WORKER);
#else
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }

    const std::string m_llama = "fill --model llama-3-8b --set model.num_hidden_layers=4 --trainable lora:16 "
                                "--checkpointing none,all --sequence-length 2048 --device sim:rtx4090 --memory 12GiB";
};

// The value fits and the next one does not, by the runs that a person would do to check it.
TEST_F(RealFillTest, itsEdgeIsThatOfRuns)
{
    const Ended ended = run(m_llama + " --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson rows = ended.json("rows");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_GT(rows.at(1).at("value").get<int>(), rows.at(0).at("value").get<int>());
    for (const OrderedJson& row : rows) {
        EXPECT_EQ(row.at("next_value_fails"), true);
        EXPECT_EQ(row.at("next_value").get<int>(), row.at("value").get<int>() + 1);
        std::vector<std::string> words = experiments::shellWords(row.at("command").get<std::string>());
        words.erase(words.begin());
        words.insert(words.end(), {"--format", "json"});
        const OrderedJson ran = run(words).json("trials").at(0);
        for (const char* key : {"trial_id", "outcome", "memory", "speed", "breakdown"})
            EXPECT_EQ(ran.at(key), row.at("trial").at(key)) << key;
        EXPECT_EQ(ran.at("memory").at("fits"), true);
        for (std::size_t i = 1; i < words.size(); ++i)
            if (words[i - 1] == "--batch")
                words[i] = row.at("next_value").dump();
        if (row.at("value") == 1) // a default, which the line leaves out
            words.insert(words.end(), {"--batch", "2"});
        EXPECT_NE(run(words).json("trials").at(0).at("memory").at("fits"), true);
        EXPECT_EQ(row.at("needed_bytes").get<Bytes>() + row.at("unfilled_bytes").get<Bytes>(), 12 * kGiB);
        EXPECT_EQ(row.at("needed_bytes"), row.at("trial").at("memory").at("needed_bytes"));
    }
}

TEST_F(RealFillTest, speedsAreComparedAtEqualMemory)
{
    const OrderedJson rows = run(m_llama + " --format json").json("rows");
    double fastest = 0;
    for (const OrderedJson& row : rows) {
        fastest = std::max(fastest, row.at("relative_speed").get<double>());
        EXPECT_EQ(row.at("samples_per_second"), row.at("trial").at("speed").at("samples_per_second"));
    }
    EXPECT_EQ(fastest, 1);
    EXPECT_THAT(run(m_llama).out, HasSubstr("Fastest at equal memory: "));
}

TEST_F(RealFillTest, framesAreThoseThatTheModelTakes)
{
    const Ended ended = run("fill --model ltx-video-tiny --axis frames --memory 300MiB --device sim:t4 --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson row = ended.json("rows").at(0);
    EXPECT_EQ(row.at("value").get<int>() % 8, 1);
    EXPECT_EQ(row.at("next_value").get<int>(), row.at("value").get<int>() + 8);
}

// A hundred edges in all, in parts that run side by side.
constexpr int kParts = 10;
constexpr int kEdgesOfPart = 100 / kParts;

// Random models, techniques, devices, axes and amounts of memory; each part checks some of the same draws.
class RandomEdges : public testing::TestWithParam<int> {
protected:
    void SetUp() override
    {
#ifndef REAL_WORKER
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }

    std::size_t below(std::size_t count) { return m_random() % count; }

    FillTask draw()
    {
        config::Trial trial;
        trial.configuration = m_draw.next();
        constexpr std::array kCards{"sim:t4", "sim:rtx4090", "sim:a100-80gb@torch-2.5"};
        trial.device = config::parseDevice(kCards[below(kCards.size())], "test");
        trial.memoryLimitBytes = Bytes(16 + below(400)) * kMiB;
        std::vector<std::string> names = WorkloadAxis::namesIn(trial);
        std::erase_if(names, [](const std::string& name) { return name == "accumulate" || name == "chunks"; });
        return {trial, WorkloadAxis(names[below(names.size())], trial, "test")};
    }

    bool fits(const FillTask& task, std::int64_t value)
    {
        const config::Trial trial = task.axis.with(task.trial, value);
        const auto result = m_predictor.simulate(trial, protocol::SimulationAim::Record, {});
        EXPECT_TRUE(result.outcome == Outcome::Completed || result.outcome == Outcome::OutOfMemory) << result.reason;
        return result.outcome == Outcome::Completed && m_deviceFit.fits(trial, result.memory).value_or(false);
    }

    FilledTrial fill(const FillTask& task)
    {
        FillSearch search([this](const config::Trial& trial) { return m_predictor.predictOnCard(trial, {}).result; },
            [this](const auto& trial, const auto& result) {
                return m_deviceFit.fits(trial, result.memory).value_or(false);
            },
            [](const config::Trial& trial) { return *trial.memoryLimitBytes; });
        return search.run(std::vector{task}).front();
    }

    // Says whether it was an edge.
    bool check(const FillTask& task)
    {
        const FilledTrial filled = fill(task);
        const std::string what = task.axis.field() + " of " + config::techniqueLabel(task.trial.configuration) + " in "
            + task.trial.configuration.model;
        EXPECT_TRUE(filled.reason.empty()) << what << ": " << filled.reason;
        if (filled.value) {
            EXPECT_TRUE(fits(task, *filled.value)) << what << " " << *filled.value;
        }
        if (!filled.next)
            return false;
        EXPECT_FALSE(fits(task, *filled.next)) << what << " " << *filled.next;
        for (std::int64_t between = filled.value.value_or(0) + 1; between < *filled.next; ++between)
            EXPECT_FALSE(config::problemsOf(task.axis.with(task.trial, between)).empty()) << what << " " << between;
        return filled.value.has_value();
    }

    std::mt19937 m_random{23};
    config::CombinationDraw m_draw{23};
#ifdef REAL_WORKER
    EnvironmentVariable m_worker{"HEADROOM_WORKER", REAL_WORKER};
#endif
    EnvironmentVariable m_resources{"HEADROOM_RESOURCES", shippedResources().string()};
    experiments::TrialPredictor m_predictor;
    DeviceFit m_deviceFit{shippedResources()};
};

TEST_P(RandomEdges, areExact)
{
    int edges = 0;
    for (int drawn = 0; edges < kEdgesOfPart && drawn < 300 && !HasFailure(); ++drawn)
        if (const FillTask task = draw(); drawn % kParts == GetParam())
            edges += check(task) ? 1 : 0;
    EXPECT_EQ(edges, kEdgesOfPart);
}

INSTANTIATE_TEST_SUITE_P(Parts, RandomEdges, testing::Range(0, kParts));

} // namespace
} // namespace headroom::cli::real_fill_test
