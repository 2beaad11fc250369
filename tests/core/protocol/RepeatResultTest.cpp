// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/RepeatResult.h"

#include "tests/support/Refusal.h"

#include <random>

namespace headroom::protocol {
namespace {

class RandomResult {
public:
    explicit RandomResult(std::uint64_t seed)
        : m_random(seed)
    {
    }

    RepeatResult next()
    {
        RepeatResult result;
        result.outcome = static_cast<Outcome>(m_random() % 6);
        result.reason = m_random() % 2 ? "reason \"quoted\"\n\xc3\xa4" : "";
        result.phase = m_random() % 2 ? "forward" : "";
        if (m_random() % 2)
            result.outOfMemory = OutOfMemoryFacts{"backward", bytes(), bytes(), bytes(), bytes(), bytes()};
        if (m_random() % 2)
            result.need = UnlimitedNeed{figures(), {seconds()}};
        result.parameters = maybe();
        result.weightBytes = maybe();
        result.memory = memory();
        for (std::size_t i = m_random() % 5; i > 0; --i)
            result.stepSeconds.push_back(seconds());
        for (std::size_t i = m_random() % 5; i > 0; --i)
            result.warmupSeconds.push_back(seconds());
        if (m_random() % 2)
            result.isSteady = m_random() % 2 == 0;
        if (m_random() % 2)
            result.objections = {"the step time still changed by +3.1 % per step"};
        if (m_random() % 2)
            result.firstStepSeconds = seconds();
        if (m_random() % 2)
            result.numerics = Numerics{seconds(), {}, seconds(), {}, seconds(), {}, {}};
        if (m_random() % 2)
            result.breakdown = MemoryBreakdown{bytes(), "backward", {{"weights", bytes()}},
                {{"blocks.0", bytes(), {{"weights", bytes()}}}}, {{"", bytes()}}, {{"gradients", bytes()}},
                {{"model.py:12", bytes(), {{"saved_activations", bytes()}}}}, maybe()};
        result.engagement["split_ffn"]["slices_run"] = bytes();
        result.effective["split_ffn"] = "4";
        result.opsWithoutRule = {"sort"};
        result.opsWithoutMeta = {"aten::flip in model.layers.0 (model.py:12)"};
        result.diagnostics = {"a remark"};
        return result;
    }

private:
    Bytes bytes() { return static_cast<Bytes>(m_random() >> 20); }
    double seconds() { return std::uniform_real_distribution<double>(0, 2)(m_random); }
    std::optional<std::int64_t> maybe() { return m_random() % 2 ? std::optional(bytes()) : std::nullopt; }
    MemoryFigures figures() { return {maybe(), maybe(), maybe(), maybe(), maybe(), maybe(), maybe(), maybe()}; }

    RepeatMemory memory()
    {
        RepeatMemory memory{figures(), figures(), figures(), figures(), figures(), figures(), {}, {}, maybe(), maybe(),
            maybe(), {}, {}};
        memory.phasePeaks["forward"] = figures();
        memory.harness.push_back({"kept baseline output", bytes()});
        if (m_random() % 2)
            memory.segmentAddresses = config::SegmentAddresses::Ascending;
        if (m_random() % 2)
            memory.notCounted.push_back({"cuFFT", "cufftMakePlan1d", bytes(), bytes()});
        return memory;
    }

    std::mt19937_64 m_random;
};

TEST(RepeatResultTest, readsBackAsTheSameResult)
{
    RandomResult random(3);
    for (int i = 0; i < 300; ++i) {
        const RepeatResult result = random.next();
        EXPECT_EQ(repeatResultFromJson(Json::parse(toJson(result).dump())), result);
    }
}

TEST(RepeatResultTest, whatNobodyMeasuredIsNullAndNeverZero)
{
    const Json json = toJson(RepeatResult{});
    for (const char* key : {"oom", "need", "parameters", "weight_bytes", "first_step_seconds", "numerics"})
        EXPECT_TRUE(json.at(key).is_null()) << key;
    for (const auto& [name, figure] : json.at("memory").at("peak").items())
        EXPECT_TRUE(figure.is_null()) << name;
    EXPECT_EQ(json.at("memory").at("peak").size(), 8u);
}

// Workspaces of earlier versions have no such key.
TEST(RepeatResultTest, readsAResultWithoutANeed)
{
    Json json = toJson(RepeatResult{});
    json.erase("need");
    EXPECT_EQ(repeatResultFromJson(json), RepeatResult{});
}

// Workspaces of earlier versions did not look once gradients were cleared.
TEST(RepeatResultTest, readsAResultThatWasNotLookedAtOnceGradientsWereCleared)
{
    Json json = toJson(RepeatResult{});
    ASSERT_EQ(json.at("memory").erase("resting_cleared"), 1u);
    EXPECT_EQ(repeatResultFromJson(json), RepeatResult{});
}

RepeatResult unlimitedRun()
{
    RepeatResult result;
    result.outcome = Outcome::Completed;
    result.memory.afterLoad.reserved = 30;
    result.memory.firstStepPeak.reserved = 20;
    result.memory.peak = {.allocated = 9, .reserved = 10};
    result.memory.wholeRunPeak.reserved = 50;
    result.stepSeconds = {0.5};
    return result;
}

TEST(RepeatResultTest, aNeedIsTheMostOfTheTrialsOwnSteps)
{
    const auto need = needOf(unlimitedRun(), {"forward", 1, 1});
    ASSERT_TRUE(need);
    EXPECT_EQ(need->most.reserved, 30);
    EXPECT_EQ(need->most.allocated, 9);
    EXPECT_EQ(need->most.device, std::nullopt);
    EXPECT_EQ(need->stepSeconds, std::vector{0.5});
}

TEST(RepeatResultTest, aNeedHasTheBaselineInItWhereThatWasWhatFailed)
{
    EXPECT_EQ(needOf(unlimitedRun(), {"baseline", 1, 1})->most.reserved, 50);
}

TEST(RepeatResultTest, whatDidNotCompleteTellsNoNeed)
{
    RepeatResult result = unlimitedRun();
    result.outcome = Outcome::OutOfMemory;
    EXPECT_EQ(needOf(result, {"forward", 1, 1}), std::nullopt);
}

TEST(MemoryFiguresTest, theLargerOnesAreOfEachFigureAndWhatOnlyOneSideKnows)
{
    MemoryFigures left, right;
    left.allocated = 5;
    right.allocated = 7;
    left.reserved = 9;
    right.hostRss = 3;
    left.hostPinned = 4;
    left.hostPageable = 6;
    right.hostPageable = 8;
    const MemoryFigures larger = largerOf(left, right);
    EXPECT_EQ(larger.allocated, 7);
    EXPECT_EQ(larger.reserved, 9);
    EXPECT_EQ(larger.hostRss, 3);
    EXPECT_EQ(larger.hostPinned, 4);
    EXPECT_EQ(larger.hostPageable, 8);
    EXPECT_EQ(larger.device, std::nullopt);
    EXPECT_EQ(largerOf(right, left), larger);
}

TEST(RepeatResultTest, anOutcomeThatNoRepeatHasIsRefused)
{
    for (const char* word : {"oom", "not_run"}) {
        Json json = toJson(RepeatResult{});
        json["outcome"] = word;
        EXPECT_EQ(refusal<TrialError>([&] { repeatResultFromJson(json); }),
            "worker result: unknown outcome \"" + std::string(word)
                + "\" (valid: completed, out_of_memory, failed, timed_out, cancelled, skipped)");
    }
}

} // namespace
} // namespace headroom::protocol
