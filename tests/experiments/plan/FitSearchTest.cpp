// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/FitSearch.h"

#include "core/config/techniques/CheckpointNotation.h"
#include "core/protocol/TrialCodec.h"
#include "tests/experiments/plan/FitTrials.h"
#include "tests/support/Configurations.h"

#include <gmock/gmock.h>

#include <bit>

namespace headroom::experiments::fit_search_test {
namespace {

using End = FitSearchResult::End;

std::size_t candidatesOfAll(const config::Trial& trial)
{
    std::size_t count = 0;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        if (technique.candidates)
            count += candidatesOf(trial, technique.key).size();
    return count;
}

// Memory by the number of blocks that are as they were: the more, the faster.
class BlockwiseDevice {
public:
    explicit BlockwiseDevice(Bytes bytesOfABlock)
        : m_bytesOfABlock(bytesOfABlock)
    {
    }

    RepeatResult operator()(const config::Trial& trial) const
    {
        const config::CheckpointPolicy policy = config::parseCheckpointing(checkpointingOf(trial), "test");
        const auto blocks = config::checkpointedBlocks(policy, kBlocks);
        const auto left = std::ranges::count(blocks, false);
        const Bytes moved = policy.offload ? 10'000 : 0;
        return withHost(
            completed(50'000 + m_bytesOfABlock * left - moved, 10.0 - 0.1 * static_cast<double>(left)), moved, 0);
    }

private:
    Bytes m_bytesOfABlock;
};

TEST(FitSearchTest, whatATrainerDoesNotHaveIsNotTried)
{
    FitSearch search(BlockwiseDevice(12'000), isSmall);
    search.setOffers([](const config::Trial& trial, const std::string& technique) {
        return technique == "checkpointing" && checkpointingOf(trial) == "all";
    });
    const FitSearchResult result = search.run(trialOf());
    ASSERT_EQ(result.found.size(), 1U) << "and nothing milder";
    EXPECT_THAT(aftersOf(result.found.front()), testing::ElementsAre("all"));
    for (const std::string& tried : result.tried)
        EXPECT_TRUE(tried == "checkpointing all" || tried.starts_with("batch ")) << tried;
}

TEST(FitSearchTest, theSimplestWordComesFirstThenWhatUsesTheRoomThatIsLeft)
{
    const FitSearchResult result = FitSearch(BlockwiseDevice(12'000), isSmall).run(trialOf());
    std::vector<std::vector<std::string>> found;
    for (const FittingChange& change : result.found)
        found.push_back(aftersOf(change));
    // Room for four blocks of twelve; the policy that moves inputs to the host is as fast as the plain one.
    EXPECT_THAT(found, testing::ElementsAre(testing::ElementsAre("all"), testing::ElementsAre("except:3")));
    EXPECT_GT(result.found.back().stepsPerSecond, result.found.front().stepsPerSecond);
    EXPECT_GT(result.found.back().peakBytes, result.found.front().peakBytes);
}

TEST(FitSearchTest, hostMemoryIsAskedForOnlyWhereNothingElseFits)
{
    const FitSearchResult result = FitSearch(BlockwiseDevice(60'000), [](const auto&, const RepeatResult& repeat) {
        return *repeat.memory.peak.reserved < 45'000;
    }).run(trialOf());
    ASSERT_EQ(result.found.size(), 1U);
    EXPECT_THAT(aftersOf(result.found.front()), testing::ElementsAre("all+offload"));
    EXPECT_EQ(result.found.front().hostPinnedBytes, 10'000);
}

TEST(FitSearchTest, theRoomThatIsLeftTakesFewSimulations)
{
    const config::Trial trial = trialOf();
    const FitSearchResult result = FitSearch(BlockwiseDevice(12'000), isSmall).run(trial);
    EXPECT_LE(result.simulations, candidatesOfAll(trial) + std::bit_width(milderPolicies(trial).size()));
}

TEST(FitSearchTest, saysHowFarItIsAndWhatItHas)
{
    std::vector<FitProgress> told;
    FitSearch search(BlockwiseDevice(12'000), isSmall);
    search.setProgress([&](const FitProgress& progress) { told.push_back(progress); });
    const FitSearchResult result = search.run(trialOf());
    ASSERT_GT(told.size(), 2U);
    EXPECT_EQ(told.front().simulations, 0U);
    EXPECT_GT(told.front().expectedSimulations, 0U);
    EXPECT_EQ(told.back().simulations, result.simulations);
    EXPECT_EQ(told.back().expectedSimulations, result.simulations);
    EXPECT_EQ(told.back().found.size(), result.found.size());
    for (const FitProgress& progress : told)
        EXPECT_GE(progress.expectedSimulations, progress.simulations);
    const auto first = std::ranges::find_if(told, [](const FitProgress& progress) { return !progress.found.empty(); });
    EXPECT_LT(first->simulations, result.simulations); // while it goes on
    EXPECT_THAT(aftersOf(first->found.front()), testing::ElementsAre("all"));
}

TEST(FitSearchTest, threeTechniquesTogetherAreTheLastThatIsTried)
{
    const auto device = [](const config::Trial& trial) {
        const bool all = checkpointingOf(trial) != "none" && splitOf(trial) != "off"
            && trial.configuration.techniques.at("offload").notation != "off";
        return completed(all ? 50'000 : 500'000, 1);
    };
    const FitSearchResult result = FitSearch(device, isSmall).run(trialOf(2));
    ASSERT_FALSE(result.found.empty());
    EXPECT_EQ(result.found.front().changes.size(), 3U);
    EXPECT_EQ(batchOf(result.found.front().trial), 2);
}

// A technique that was off gets the options that a run gives it: the same trial has the same id.
TEST(FitSearchTest, whatIsFoundIsTheTrialOfARun)
{
    const auto device = [](const config::Trial& trial) {
        return completed(splitOf(trial) == "4:recompute" ? 50'000 : 500'000, 1);
    };
    const FitSearchResult result = FitSearch(device, isSmall).run(trialOf());
    ASSERT_EQ(result.found.size(), 1U);
    config::Trial run = trialOf();
    choose(run.configuration, "split_ffn", "4:recompute");
    EXPECT_EQ(protocol::trialId(result.found.front().trial), protocol::trialId(run));
}

TEST(FitSearchTest, namesTheSettingsAsASpecDoes)
{
    const auto device = [](const config::Trial& trial) {
        return completed(checkpointingOf(trial) == "all" && batchOf(trial) == 2 ? 50'000 : 500'000, 1);
    };
    const FitSearchResult result = FitSearch(device, isSmall).run(trialOf(4));
    ASSERT_EQ(result.found.size(), 1U);
    EXPECT_THAT(result.found.front().changes,
        testing::ElementsAre(
            SettingChange{"techniques.checkpointing", "none", "all"}, SettingChange{"workload.batch", "4", "2"}));
    EXPECT_EQ(batchOf(result.found.front().trial), 2);
    EXPECT_THAT(result.tried, testing::IsSupersetOf({"checkpointing all", "batch 2"}));
}

TEST(FitSearchTest, stopsAsSoonAsSomethingSmallerFits)
{
    std::size_t asked = 0;
    const auto device = [&](const config::Trial& trial) {
        ++asked;
        return completed(checkpointingOf(trial) == "none" ? 500'000 : 50'000, 1);
    };
    const FitSearchResult result = FitSearch(device, isSmall).run(trialOf(64));
    EXPECT_EQ(asked, result.simulations);
    EXPECT_LE(asked, candidatesOfAll(trialOf()) + std::bit_width(milderPolicies(trialOf()).size()));
    EXPECT_EQ(result.found.size(), 1U); // of equals the simplest
    EXPECT_EQ(result.found.front().changes.front().after, "all");
}

TEST(FitSearchTest, endsAfterSoManySimulations)
{
    const auto device = [](const config::Trial&) { return completed(500'000, 1); };
    const FitSearchResult result = FitSearch(device, isSmall, 5).run(trialOf(64));
    EXPECT_EQ(result.end, End::OutOfSimulations);
    EXPECT_FALSE(result.isComplete());
    EXPECT_EQ(result.simulations, 5U);
}

TEST(FitSearchTest, endsWhenItIsStopped)
{
    std::stop_source stop;
    const auto device = [&](const config::Trial&) {
        stop.request_stop();
        return completed(50'000, 1);
    };
    const FitSearchResult result = FitSearch(device, isSmall).run(trialOf(), stop.get_token());
    EXPECT_EQ(result.end, End::Cancelled);
    EXPECT_FALSE(result.isComplete());
    EXPECT_EQ(result.simulations, 1U);
    EXPECT_GT(result.expectedSimulations, 1U);
    EXPECT_EQ(result.found.size(), 1U);
}

// A simulation that was cut off says nothing, and is not counted.
TEST(FitSearchTest, anAnswerThatWasCutOffIsNoAnswer)
{
    for (const Outcome outcome : {Outcome::Cancelled, Outcome::Failed}) {
        std::stop_source stop;
        const auto device = [&](const config::Trial&) {
            stop.request_stop();
            RepeatResult result;
            result.outcome = outcome;
            result.reason = "worker killed: interrupted";
            return result;
        };
        const FitSearchResult result = FitSearch(device, isSmall).run(trialOf(), stop.get_token());
        EXPECT_EQ(result.end, End::Cancelled);
        EXPECT_EQ(result.simulations, 0U);
        EXPECT_THAT(result.failures, testing::IsEmpty());
    }
}

TEST(FitSearchTest, predictionsThatFailAreNamedAndFitNothing)
{
    const auto device = [](const config::Trial&) {
        RepeatResult result;
        result.outcome = Outcome::Failed;
        result.reason = "the worker ended";
        return result;
    };
    const FitSearchResult result = FitSearch(device, isSmall).run(trialOf());
    EXPECT_TRUE(result.found.empty());
    EXPECT_THAT(result.failures, testing::ElementsAre("the worker ended"));
}

TEST(FitSearchTest, asksForNothingThatCannotWork)
{
    const auto device = [](const config::Trial& trial) {
        EXPECT_TRUE(config::conflicts(trial.configuration).empty());
        return completed(500'000, 1);
    };
    FitSearch(device, isSmall).run(trialOf(8));
    config::Trial inference = trialOf();
    inference.configuration.workload.step = config::StepKind::Inference;
    FitSearch(device, isSmall).run(inference);
}

} // namespace
} // namespace headroom::experiments::fit_search_test
