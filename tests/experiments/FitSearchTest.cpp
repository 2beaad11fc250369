// SPDX-License-Identifier: Apache-2.0
#include "experiments/FitSearch.h"

#include "core/config/Catalogue.h"
#include "core/config/techniques/CheckpointNotation.h"
#include "core/protocol/TrialCodec.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <random>

namespace headroom::experiments::fit_search_test {
namespace {

using End = FitSearchResult::End;
using protocol::Outcome;
using protocol::RepeatResult;

constexpr std::int64_t kBlocks = 12;

config::Trial trialOf(std::int64_t batch = 1)
{
    config::Trial trial;
    trial.configuration = config::defaultConfiguration("ltx-video-tiny", "test");
    trial.configuration.modelFields["num_layers"] = kBlocks;
    trial.configuration.workload.step = config::StepKind::Train;
    trial.configuration.workload.shapes["batch"] = batch;
    return trial;
}

std::string checkpointingOf(const config::Trial& trial)
{
    return trial.configuration.techniques.at("checkpointing").notation;
}

std::string splitOf(const config::Trial& trial)
{
    return trial.configuration.techniques.at("split_ffn").notation;
}

std::int64_t batchOf(const config::Trial& trial)
{
    return trial.configuration.workload.shapes.at("batch").integer();
}

RepeatResult completed(Bytes peak, double seconds)
{
    RepeatResult result;
    result.outcome = Outcome::Completed;
    result.memory.peak.reserved = peak;
    result.stepSeconds = {seconds};
    return result;
}

bool isSmall(const config::Trial&, const RepeatResult& result)
{
    return *result.memory.peak.reserved < 100'000;
}

std::vector<config::Candidate> candidatesOf(const config::Trial& trial, const std::string& key)
{
    const auto model = config::findModel(trial.configuration.model, "test");
    return config::findTechnique(key, "test")
        .candidates({*model.family, trial.configuration.modelFields, trial.configuration.workload,
            trial.configuration.techniques});
}

std::vector<std::string> milderPolicies(const config::Trial& trial)
{
    return candidatesOf(trial, "checkpointing").front().milder;
}

// The look at all combinations knows two techniques: with any other one nothing fits.
bool usesOthers(const config::Trial& trial)
{
    return std::ranges::any_of(config::techniqueCatalogue(), [&](const config::TechniqueDescriptor& technique) {
        return technique.key != "checkpointing" && technique.key != "split_ffn"
            && trial.configuration.techniques.at(technique.key).notation != technique.off;
    });
}

std::size_t candidatesOfAll(const config::Trial& trial)
{
    std::size_t count = 0;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        if (technique.candidates)
            count += candidatesOf(trial, technique.key).size();
    return count;
}

RepeatResult withHost(RepeatResult result, Bytes pinned, Bytes pageable)
{
    result.memory.peak.hostPinned = pinned;
    result.memory.peak.hostPageable = pageable;
    return result;
}

/// Peaks, host memory and step times drawn once for each setting, so that a search and a look at all combinations see
/// the same. Along the milder settings of a policy memory grows and time shrinks, as they promise.
class RandomDevice {
public:
    explicit RandomDevice(std::uint32_t seed)
        : m_random(seed)
    {
    }

    RepeatResult operator()(const config::Trial& trial)
    {
        if (usesOthers(trial))
            return completed(10'000'000, 1);
        const std::vector<std::string> milder = milderPolicies(trialOf());
        const auto place = std::ranges::find(milder, checkpointingOf(trial));
        if (place == milder.end())
            return draw(trial, checkpointingOf(trial));
        RepeatResult result = draw(trial, "all");
        for (auto step = milder.begin(); step <= place; ++step) {
            const RepeatResult more = draw(trial, *step);
            *result.memory.peak.reserved += *more.memory.peak.reserved / 40;
            result.stepSeconds.front() *= 1 - more.stepSeconds.front() / 100;
        }
        return result;
    }

private:
    RepeatResult draw(const config::Trial& trial, const std::string& policy)
    {
        const std::string key = policy + "|" + splitOf(trial) + "|" + std::to_string(batchOf(trial));
        const auto [drawn, isNew] = m_results.try_emplace(key);
        if (isNew)
            drawn->second = withHost(
                completed(60'000 + static_cast<Bytes>(m_random() % 600'000), 1.0 + static_cast<double>(m_random() % 8)),
                static_cast<Bytes>(m_random() % 3) * 100, static_cast<Bytes>(m_random() % 3) * 100);
        return drawn->second;
    }

    std::mt19937 m_random;
    std::map<std::string, RepeatResult> m_results;
};

/// One way to change the trial, as the look at all combinations knows it.
struct Way {
    std::string policy; ///< empty: as it is; likewise the split
    std::string split;
    std::int64_t batch = 1;
    int effort = 0;
    Bytes peak = 0;
    Bytes pinned = 0;
    Bytes host = 0;
    double speed = 0;
    bool fits = false;

    std::vector<std::string> afters(std::int64_t batchBefore) const
    {
        std::vector<std::string> texts;
        for (const std::string& text : {split, policy}) // the order of the catalogue
            if (!text.empty())
                texts.push_back(text);
        if (batch != batchBefore)
            texts.push_back(std::to_string(batch));
        return texts;
    }
};

Way lookAt(RandomDevice& device, config::Trial trial, Way way)
{
    if (!way.policy.empty())
        trial.configuration.techniques.at("checkpointing").notation = way.policy;
    if (!way.split.empty())
        trial.configuration.techniques.at("split_ffn").notation = way.split;
    trial.configuration.workload.shapes["batch"] = way.batch;
    const RepeatResult result = device(trial);
    way.peak = *result.memory.peak.reserved;
    way.pinned = *result.memory.peak.hostPinned;
    way.host = way.pinned + *result.memory.peak.hostPageable;
    way.speed = 1 / result.stepSeconds.front();
    way.fits = isSmall(trial, result);
    return way;
}

// All ways with so many techniques, milder settings left out.
std::vector<Way> waysWith(
    RandomDevice& device, const config::Trial& trial, std::size_t techniques, std::int64_t batch)
{
    std::vector<config::Candidate> policies = candidatesOf(trial, "checkpointing");
    std::vector<config::Candidate> splits = candidatesOf(trial, "split_ffn");
    policies.push_back({"", 0});
    splits.push_back({"", 0});
    std::vector<Way> ways;
    for (const config::Candidate& split : splits)
        for (const config::Candidate& policy : policies)
            if ((split.effort > 0 ? 1U : 0U) + (policy.effort > 0 ? 1U : 0U) == techniques)
                ways.push_back(
                    lookAt(device, trial, {policy.notation, split.notation, batch, split.effort + policy.effort}));
    return ways;
}

bool beats(const Way& one, const Way& other)
{
    const bool noWorse = one.peak <= other.peak && one.speed >= other.speed && one.pinned <= other.pinned
        && one.host <= other.host;
    return noWorse
        && (one.peak < other.peak || one.speed > other.speed || one.pinned < other.pinned || one.host < other.host);
}

// What stands of ways with as many changes each.
std::vector<Way> worthListing(std::vector<Way> ways)
{
    std::stable_sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) { return a.effort < b.effort; });
    std::vector<Way> standing;
    for (const Way& way : ways)
        if (std::none_of(standing.begin(), standing.end(), [&](const Way& simpler) {
                return std::abs(simpler.speed - way.speed) <= kSameSpeed * way.speed && simpler.pinned <= way.pinned
                    && simpler.host <= way.host;
            }))
            standing.push_back(way);
    std::vector<Way> listed;
    for (const Way& way : standing)
        if (std::none_of(
                standing.begin(), standing.end(), [&](const Way& other) { return beats(other, way); }))
            listed.push_back(way);
    std::stable_sort(listed.begin(), listed.end(),
        [](const Way& a, const Way& b) { return std::pair(a.effort, -a.speed) < std::pair(b.effort, -b.speed); });
    return listed;
}

// The last of the milder settings that fits, from a look at each of them.
std::optional<Way> mildest(RandomDevice& device, const config::Trial& trial, const Way& way)
{
    std::optional<Way> found;
    if (way.policy == "all")
        for (const std::string& policy : milderPolicies(trial))
            if (const Way milder = lookAt(device, trial, {policy, way.split, way.batch, way.effort + 1}); milder.fits)
                found = milder;
    return found;
}

// What the search promises, from all combinations: the first batch, with the fewest techniques, at which any fits.
std::vector<Way> expected(RandomDevice& device, const config::Trial& trial)
{
    for (std::int64_t batch = batchOf(trial); batch >= 1; batch /= 2)
        for (std::size_t techniques = batch == batchOf(trial) ? 1 : 0; techniques <= 2; ++techniques) {
            std::vector<Way> fitting = waysWith(device, trial, techniques, batch);
            std::erase_if(fitting, [](const Way& way) { return !way.fits; });
            for (const Way& way : worthListing(fitting))
                if (auto milder = mildest(device, trial, way))
                    fitting.push_back(*milder);
            if (!fitting.empty())
                return worthListing(fitting);
        }
    return {};
}

std::vector<std::string> aftersOf(const FittingChange& change)
{
    std::vector<std::string> afters;
    for (const SettingChange& setting : change.changes)
        afters.push_back(setting.after);
    return afters;
}

TEST(FitSearchTest, findsWhatALookAtAllCombinationsFinds)
{
    std::map<std::size_t, int> sizes; // how many searches ended with so many changes
    int partial = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        RandomDevice device(seed);
        const config::Trial trial = trialOf(seed % 3 == 0 ? 1 : 4);
        FitSearch search(std::ref(device), isSmall);
        const FitSearchResult result = search.run(trial);
        std::vector<std::vector<std::string>> found;
        for (const FittingChange& change : result.found) {
            found.push_back(aftersOf(change));
            ++sizes[change.changes.size()];
            partial += change.effort > 1 && checkpointingOf(change.trial).find(':') != std::string::npos ? 1 : 0;
        }
        std::vector<std::vector<std::string>> best;
        for (const Way& way : expected(device, trial))
            best.push_back(way.afters(batchOf(trial)));
        EXPECT_EQ(found, best) << "seed " << seed;
        EXPECT_EQ(result.end, found.empty() ? End::NothingFits : End::Found);
        EXPECT_TRUE(result.isComplete());
    }
    EXPECT_GT(sizes[1], 0);
    EXPECT_GT(sizes[2], 0);
    EXPECT_GT(sizes[3], 0);
    EXPECT_GT(partial, 20);
}

// Whatever the order of the search: nothing that is listed is beaten by another way, unless it is as fast and simpler.
TEST(FitSearchTest, nothingThatIsListedIsBeaten)
{
    for (std::uint32_t seed = 1000; seed < 1100; ++seed) {
        RandomDevice device(seed);
        const config::Trial trial = trialOf();
        for (const FittingChange& change : FitSearch(std::ref(device), isSmall).run(trial).found) {
            const Way listed{.effort = change.effort, .peak = change.peakBytes, .pinned = change.hostPinnedBytes,
                .host = change.hostBytes(), .speed = *change.stepsPerSecond};
            for (const Way& other : waysWith(device, trial, change.changes.size(), 1)) {
                const bool isAsFast = std::abs(other.speed - listed.speed) <= kSameSpeed * other.speed;
                EXPECT_FALSE(other.fits && beats(other, listed) && !(isAsFast && listed.effort <= other.effort))
                    << "seed " << seed << ": " << other.split << ' ' << other.policy;
            }
        }
    }
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
        return withHost(completed(50'000 + m_bytesOfABlock * left - moved, 10.0 - 0.1 * static_cast<double>(left)),
            moved, 0);
    }

private:
    Bytes m_bytesOfABlock;
};

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
    run.configuration.techniques["split_ffn"] =
        config::makeSetting(config::findTechnique("split_ffn", "test"), "4:recompute", {}, "test");
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
