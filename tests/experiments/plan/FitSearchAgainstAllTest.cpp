// SPDX-License-Identifier: Apache-2.0
//
// The search for what fits against a look at every combination, in random spaces.
#include "tests/experiments/plan/FitTrials.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <random>

namespace headroom::experiments::fit_search_test {
namespace {

using End = FitSearchResult::End;

// The look at all combinations knows two techniques: with any other one nothing fits.
bool usesOthers(const config::Trial& trial)
{
    return std::ranges::any_of(config::techniqueCatalogue(), [&](const config::TechniqueDescriptor& technique) {
        return technique.key != "checkpointing" && technique.key != "split_ffn"
            && trial.configuration.techniques.at(technique.key).notation != technique.off;
    });
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
std::vector<Way> waysWith(RandomDevice& device, const config::Trial& trial, std::size_t techniques, std::int64_t batch)
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
    const bool noWorse =
        one.peak <= other.peak && one.speed >= other.speed && one.pinned <= other.pinned && one.host <= other.host;
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
        if (std::none_of(standing.begin(), standing.end(), [&](const Way& other) { return beats(other, way); }))
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

TEST(FitSearchAgainstAllTest, findsWhatALookAtAllCombinationsFinds)
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
TEST(FitSearchAgainstAllTest, nothingThatIsListedIsBeaten)
{
    for (std::uint32_t seed = 1000; seed < 1100; ++seed) {
        RandomDevice device(seed);
        const config::Trial trial = trialOf();
        for (const FittingChange& change : FitSearch(std::ref(device), isSmall).run(trial).found) {
            const Way listed{.policy = {},
                .split = {},
                .effort = change.effort,
                .peak = change.peakBytes,
                .pinned = change.hostPinnedBytes,
                .host = change.hostBytes(),
                .speed = *change.stepsPerSecond};
            for (const Way& other : waysWith(device, trial, change.changes.size(), 1)) {
                const bool isAsFast = std::abs(other.speed - listed.speed) <= kSameSpeed * other.speed;
                EXPECT_FALSE(other.fits && beats(other, listed) && !(isAsFast && listed.effort <= other.effort))
                    << "seed " << seed << ": " << other.split << ' ' << other.policy;
            }
        }
    }
}

} // namespace
} // namespace headroom::experiments::fit_search_test
