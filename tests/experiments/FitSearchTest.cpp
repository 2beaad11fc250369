// SPDX-License-Identifier: Apache-2.0
#include "experiments/FitSearch.h"

#include "core/config/Catalogue.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace headroom::experiments::fit_search_test {
namespace {

using End = FitSearchResult::End;
using protocol::Outcome;
using protocol::RepeatResult;

config::Trial trialOf(std::int64_t batch = 1)
{
    config::Trial trial;
    trial.configuration = config::defaultConfiguration("ltx-video-tiny", "test");
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

std::vector<std::string> candidatesOf(const config::Trial& trial, const std::string& key)
{
    const auto model = config::findModel(trial.configuration.model, "test");
    return config::findTechnique(key, "test")
        .candidates({*model.family, trial.configuration.modelFields, trial.configuration.workload,
            trial.configuration.techniques});
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

/// Peaks and step times drawn once for each setting, so that a search and a look at all combinations see the same.
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
        const std::string key = checkpointingOf(trial) + "|" + splitOf(trial) + "|" + std::to_string(batchOf(trial));
        const auto [drawn, isNew] = m_results.try_emplace(key);
        if (isNew)
            drawn->second =
                completed(60'000 + static_cast<Bytes>(m_random() % 600'000), 1.0 + static_cast<double>(m_random() % 8));
        return drawn->second;
    }

private:
    std::mt19937 m_random;
    std::map<std::string, RepeatResult> m_results;
};

struct Point {
    std::set<std::string> changes;
    Bytes peak = 0;
    double seconds = 0;

    auto operator<=>(const Point&) const = default;
};

// What the search promises, from all combinations: the first batch, with the fewest techniques, at which any fits.
std::set<Point> expected(RandomDevice& device, const config::Trial& trial)
{
    std::vector<std::string> policies = candidatesOf(trial, "checkpointing");
    std::vector<std::string> splits = candidatesOf(trial, "split_ffn");
    policies.insert(policies.begin(), checkpointingOf(trial));
    splits.insert(splits.begin(), splitOf(trial));
    for (std::int64_t batch = batchOf(trial); batch >= 1; batch /= 2)
        for (std::size_t techniques = batch == batchOf(trial) ? 1 : 0; techniques <= 2; ++techniques) {
            std::vector<Point> fitting;
            for (std::size_t p = 0; p < policies.size(); ++p)
                for (std::size_t s = 0; s < splits.size(); ++s) {
                    if ((p > 0 ? 1U : 0U) + (s > 0 ? 1U : 0U) != techniques)
                        continue;
                    config::Trial tried = trial;
                    tried.configuration.techniques.at("checkpointing").notation = policies[p];
                    tried.configuration.techniques.at("split_ffn").notation = splits[s];
                    tried.configuration.workload.shapes["batch"] = batch;
                    const RepeatResult result = device(tried);
                    Point point{{}, *result.memory.peak.reserved, result.stepSeconds.front()};
                    if (p > 0)
                        point.changes.insert(policies[p]);
                    if (s > 0)
                        point.changes.insert(splits[s]);
                    if (batch != batchOf(trial))
                        point.changes.insert(std::to_string(batch));
                    if (isSmall(tried, result))
                        fitting.push_back(point);
                }
            std::set<Point> best;
            for (const Point& point : fitting)
                if (std::none_of(fitting.begin(), fitting.end(), [&](const Point& other) {
                        return other.peak <= point.peak && other.seconds <= point.seconds
                            && (other.peak < point.peak || other.seconds < point.seconds);
                    }))
                    best.insert(point);
            if (!best.empty())
                return best;
        }
    return {};
}

TEST(FitSearchTest, findsWhatALookAtAllCombinationsFinds)
{
    std::map<std::size_t, int> sizes; // how many searches ended with so many changes
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        RandomDevice device(seed);
        const config::Trial trial = trialOf(seed % 3 == 0 ? 1 : 4);
        FitSearch search(std::ref(device), isSmall);
        const FitSearchResult result = search.run(trial);
        std::set<Point> found;
        for (const FittingChange& change : result.found) {
            Point point{{}, change.peakBytes, 1 / change.stepsPerSecond.value()};
            for (const SettingChange& setting : change.changes)
                point.changes.insert(setting.after);
            found.insert(point);
            ++sizes[change.changes.size()];
        }
        EXPECT_EQ(found, expected(device, trial)) << "seed " << seed;
        EXPECT_EQ(result.end, found.empty() ? End::NothingFits : End::Found);
        EXPECT_TRUE(std::is_sorted(result.found.begin(), result.found.end(),
            [](const auto& one, const auto& other) { return one.stepsPerSecond > other.stepsPerSecond; }));
    }
    EXPECT_GT(sizes[1], 0);
    EXPECT_GT(sizes[2], 0);
    EXPECT_GT(sizes[3], 0);
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
    EXPECT_EQ(asked, candidatesOfAll(trialOf()));
    EXPECT_EQ(result.found.size(), 1U); // of equals the mildest
    EXPECT_EQ(result.found.front().changes.front().after, candidatesOf(trialOf(), "checkpointing").front());
}

TEST(FitSearchTest, endsAfterSoManySimulations)
{
    const auto device = [](const config::Trial&) { return completed(500'000, 1); };
    const FitSearchResult result = FitSearch(device, isSmall, 5).run(trialOf(64));
    EXPECT_EQ(result.end, End::OutOfSimulations);
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
    EXPECT_EQ(result.simulations, 1U);
    EXPECT_EQ(result.found.size(), 1U);
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
