// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/effects/Effects.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/report/effects/EffectFigures.h"
#include "experiments/report/effects/EffectSentences.h"
#include "experiments/report/effects/EffectTables.h"
#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

#include <random>

namespace headroom::report::effects_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using Categories = std::map<std::string, Bytes>; ///< in MiB
using Settings = std::map<std::string, std::string>; ///< notations by technique

void set(ReportTrial& trial, const Settings& settings)
{
    for (const auto& [key, notation] : settings)
        trial.planned.configuration.techniques.edit()[key] =
            config::makeSetting(config::findTechnique(key, "test"), notation, {}, "test");
}

ReportTrial trial(const Settings& settings, Bytes peakMib, double seconds, const Categories& categories = {})
{
    ReportTrial trial = sketched({{}}).front();
    set(trial, settings);
    trial.result.memory.peak.allocated = peakMib * kMiB;
    trial.result.memory.peak.reserved = 2 * peakMib * kMiB;
    trial.result.speed.stepSeconds = seconds;
    trial.result.breakdown.reset();
    if (categories.empty())
        return trial;
    trial.result.breakdown.emplace();
    for (const auto& [category, mib] : categories)
        trial.result.breakdown->categories[category] = mib * kMiB;
    return trial;
}

ReportTrial outOfMemory(const Settings& settings, Bytes neededMib)
{
    ReportTrial failed = trial(settings, 0, 0);
    failed.result.outcome = Outcome::OutOfMemory;
    failed.result.memory.peak = {};
    failed.result.speed = {};
    failed.result.memory.need.needed = neededMib * kMiB;
    return failed;
}

/// Trials and what is computed of them.
struct Computed {
    explicit Computed(std::vector<ReportTrial> of, std::optional<EffectPeak> peak = {})
        : trials(std::move(of))
        , comparison(trials)
        , grids(effectGrids(comparison))
        , effects(effectsOf(grids.at(0), peak.value_or(suitablePeak(grids))))
    {
    }

    const MainEffect& main(const std::string& technique) const
    {
        return *std::ranges::find_if(
            effects.main, [&](const MainEffect& effect) { return effect.level.technique == technique; });
    }

    std::vector<ReportTrial> trials;
    Comparison comparison;
    std::vector<EffectGrid> grids;
    Effects effects;
};

// Casting and checkpointing, in the way of a training step: without checkpointing autograd keeps the upcast copies.
std::vector<ReportTrial> upcasts()
{
    return {trial({}, 1400, 0.5, {{"weights", 360}, {"saved_activations", 1040}}),
        trial({{"checkpointing", "all"}}, 480, 0.8, {{"weights", 360}, {"saved_activations", 120}}),
        trial(
            {{"casting", "e4m3"}}, 1520, 0.51, {{"weights", 180}, {"saved_activations", 1040}, {"upcast_copies", 300}}),
        trial({{"casting", "e4m3"}, {"checkpointing", "all"}}, 310, 0.83,
            {{"weights", 180}, {"saved_activations", 120}, {"upcast_copies", 10}})};
}

TEST(EffectsTest, ofFourTrialsAreThoseComputedByHand)
{
    const Computed computed(upcasts());
    const MainEffect& casting = computed.main("casting");
    EXPECT_EQ(casting.level.notation, "e4m3");
    EXPECT_EQ(casting.reference, "off");
    EXPECT_EQ(casting.alone.peakBytes, 120 * kMiB); // 1520 - 1400
    EXPECT_EQ(casting.mean.peakBytes, -25 * kMiB); // (120 + 310 - 480) / 2
    EXPECT_EQ(casting.referencePeakBytes, 940 * kMiB); // (1400 + 480) / 2
    EXPECT_NEAR(*casting.mean.stepSeconds, 0.02, 1e-12); // (0.01 + 0.03) / 2
    EXPECT_EQ(casting.mean.categories.at("upcast_copies"), 155 * kMiB);
    ASSERT_THAT(computed.effects.interactions, SizeIs(1));
    const Interaction& pair = computed.effects.interactions.front();
    EXPECT_EQ(pair.a.text(), "casting e4m3");
    EXPECT_EQ(pair.b.text(), "checkpointing all");
    EXPECT_EQ(pair.together.peakBytes, -290 * kMiB); // 310 - 1520 - 480 + 1400
    EXPECT_EQ(pair.aWithoutB.peakBytes, 120 * kMiB);
    EXPECT_EQ(pair.aWithB.peakBytes, -170 * kMiB);
    EXPECT_EQ(pair.bWithoutA.peakBytes, -920 * kMiB);
    EXPECT_EQ(pair.bWithA.peakBytes, -1210 * kMiB);
    EXPECT_NEAR(*pair.together.stepSeconds, 0.02, 1e-12);
    EXPECT_THAT(pair.together.categories, ElementsAre(std::pair(std::string("upcast_copies"), -290 * kMiB)));
    EXPECT_TRUE(pair.support.isWhole());
    EXPECT_THAT(computed.effects.missing, IsEmpty());
}

TEST(EffectsTest, castingAndCheckpointingAreTheSentenceThatPeopleNeed)
{
    EXPECT_EQ(sentenceFor(Computed(upcasts()).effects.interactions.front()),
        "casting e4m3 saves nothing until checkpointing all drops the upcast copies: it adds 0.117 GiB (0.293 GiB more "
        "upcast copies, 0.176 GiB less weights) without it, and saves 0.166 GiB (0.176 GiB less weights) with it. "
        "Together they take 20.0 ms more for a step than the sum of both says.");
}

TEST(EffectsTest, whatTheOtherHasTakenAlreadyIsNamed)
{
    const Computed computed({trial({}, 1000, 1, {{"saved_activations", 1000}}),
        trial({{"split_ffn", "2"}}, 800, 1, {{"saved_activations", 800}}),
        trial({{"checkpointing", "all"}}, 200, 1, {{"saved_activations", 200}}),
        trial({{"split_ffn", "2"}, {"checkpointing", "all"}}, 198, 1, {{"saved_activations", 198}})});
    EXPECT_THAT(sentenceFor(computed.effects.interactions.front()),
        HasSubstr("split_ffn 2 saves nothing once checkpointing all has dropped the saved activations: it saves "));
}

TEST(EffectsTest, lessAndMoreOfTheSameAreSaid)
{
    const auto sentence = [](Bytes both) {
        return sentenceFor(Computed(
            {trial({}, 1000, 1), trial({{"split_ffn", "2"}}, 900, 1), trial({{"checkpointing", "all"}}, 500, 1),
                trial({{"split_ffn", "2"}, {"checkpointing", "all"}}, both, 1)})
                .effects.interactions.front());
    };
    EXPECT_THAT(sentence(460), HasSubstr("split_ffn 2 saves less beside checkpointing all: it saves"));
    EXPECT_THAT(sentence(200), HasSubstr("split_ffn 2 saves more beside checkpointing all: it saves"));
    EXPECT_EQ(sentence(400),
        "split_ffn 2 and checkpointing all add up: the one saves 100 MiB of the peak and the other saves 0.488 GiB, "
        "with "
        "and without each other.");
}

TEST(EffectsTest, aSettingThatAddsIsNotCalledASaving)
{
    const Computed computed({trial({}, 1000, 1), trial({{"ema", "host:async"}}, 1100, 1),
        trial({{"checkpointing", "all"}}, 500, 1), trial({{"ema", "host:async"}, {"checkpointing", "all"}}, 700, 1)});
    EXPECT_THAT(sentenceFor(computed.effects.interactions.front()),
        HasSubstr("ema host:async adds more beside checkpointing all"));
}

TEST(EffectsTest, ofAGridOfSeveralLevelsEachHasItsOwn)
{
    std::vector<ReportTrial> trials;
    for (const char* split : {"2", "off", "4"})
        for (const char* policy : {"all", "none", "every:2"})
            trials.push_back(trial({{"split_ffn", split}, {"checkpointing", policy}}, 100, 1));
    const Computed computed(std::move(trials));
    EXPECT_EQ(computed.grids.at(0).factors(),
        (std::vector<EffectFactor>{{"split_ffn", {"off", "2", "4"}}, {"checkpointing", {"none", "all", "every:2"}}}));
    EXPECT_THAT(computed.effects.main, SizeIs(4));
    EXPECT_THAT(computed.effects.interactions, SizeIs(4));
}

// What a designed experiment promises: figures of effects add up to those of the trials.
TEST(EffectsTest, addUpOnRandomGrids)
{
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        std::vector<ReportTrial> trials;
        for (const char* casting : {"off", "e4m3"})
            for (const char* split : {"off", "2"})
                for (const char* policy : {"none", "all"})
                    trials.push_back(trial({{"casting", casting}, {"split_ffn", split}, {"checkpointing", policy}},
                        Bytes(random() % 5'000), double(random() % 1'000) / 1e3));
        std::shuffle(trials.begin(), trials.end(), random);
        const Computed computed(std::move(trials));
        for (const Interaction& pair : computed.effects.interactions) {
            const MainEffect& a = computed.main(pair.a.technique);
            EXPECT_NEAR(
                double(*pair.aWithB.peakBytes - *pair.aWithoutB.peakBytes), double(*pair.together.peakBytes), 2);
            EXPECT_NEAR(
                double(*pair.bWithA.peakBytes - *pair.bWithoutA.peakBytes), double(*pair.together.peakBytes), 2);
            EXPECT_NEAR(double(*pair.aWithB.peakBytes + *pair.aWithoutB.peakBytes) / 2, double(*a.mean.peakBytes), 2);
            EXPECT_NEAR(*pair.aWithB.stepSeconds - *pair.aWithoutB.stepSeconds, *pair.together.stepSeconds, 1e-9);
        }
    }
}

TEST(EffectsTest, ofAnIncompleteGridAreOverWhatIsThere)
{
    std::vector<ReportTrial> trials = upcasts();
    trials.pop_back();
    const Computed computed(std::move(trials));
    const MainEffect& casting = computed.main("casting");
    EXPECT_EQ(casting.mean.peakBytes, 120 * kMiB);
    EXPECT_EQ(casting.support, (Support{1, 1, 2}));
    EXPECT_EQ(computed.effects.interactions.front().together.peakBytes, std::nullopt);
    EXPECT_EQ(sentenceFor(computed.effects.interactions.front()), "");
    EXPECT_THAT(computed.effects.missing, ElementsAre("casting e4m3, checkpointing all (not in the sweep)"));
    EXPECT_THAT(cautionsOf(computed.effects).front(), HasSubstr("1 of 4 combinations has no allocated peak: casting"));
    EXPECT_EQ(mainEffectTable(computed.effects).columns.back().title, "pairs");
}

TEST(EffectsTest, aTrialOutOfMemoryCountsByWhatItNeeds)
{
    std::vector<ReportTrial> trials = upcasts();
    for (ReportTrial& completed : trials)
        completed.result.memory.need.needed = 2'000 * kMiB;
    trials[0] = outOfMemory({}, 5'000);
    const Computed computed(std::move(trials));
    EXPECT_EQ(computed.effects.peak, EffectPeak::Needed);
    EXPECT_EQ(computed.main("checkpointing").alone.peakBytes, -3'000 * kMiB);
    EXPECT_EQ(computed.main("checkpointing").support, (Support{2, 1, 2})); // it has no step time
    EXPECT_THAT(computed.effects.missing, IsEmpty());
}

TEST(EffectsTest, aTrialWithoutAnyPeakIsMissingWithItsReason)
{
    std::vector<ReportTrial> trials = upcasts();
    trials[0] = outOfMemory({}, 0);
    trials[0].result.memory.need.needed.reset();
    trials[0].result.reason = "64 GiB were asked for";
    const Computed computed(std::move(trials));
    EXPECT_EQ(computed.effects.peak, EffectPeak::Allocated);
    EXPECT_THAT(computed.effects.missing, ElementsAre(HasSubstr("baseline (out of memory: 64 GiB were asked for)")));
}

TEST(EffectsTest, peaksOfOtherKindsAreThoseOfTheRecords)
{
    EXPECT_EQ(Computed(upcasts(), EffectPeak::Reserved).main("casting").alone.peakBytes, 240 * kMiB);
    EXPECT_EQ(effectPeakFromText("needed", "--peak"), EffectPeak::Needed);
    EXPECT_THROW(effectPeakFromText("most", "--peak"), UsageError);
}

TEST(EffectsTest, aSweepOverOneTechniqueIsNotCrossed)
{
    const auto trials = sketched({{}, {.splitFfn = "2"}, {.splitFfn = "4"}});
    const Comparison comparison(trials);
    EXPECT_THAT(effectGrids(comparison), SizeIs(1));
    EXPECT_THAT(crossedGrids(effectGrids(comparison)), IsEmpty());
}

TEST(EffectsTest, areDrawnAsBarsFromZeroAndAsLines)
{
    const Computed computed(upcasts());
    const figures::Figure bars = effectBarsOf(computed.effects);
    ASSERT_THAT(bars.bars, SizeIs(3));
    for (const figures::BarSegment& bar : bars.bars) {
        EXPECT_LT(bar.from, bar.to);
        EXPECT_TRUE(bar.from == 0 || bar.to == 0);
        EXPECT_GE(bar.from, bars.x.low);
        EXPECT_LE(bar.to, bars.x.high);
    }
    EXPECT_EQ(bars.y.ticks.back().text, "casting e4m3 × checkpointing all");
    const auto plots = interactionPlotsOf(computed.effects, 3);
    ASSERT_THAT(plots, SizeIs(1));
    EXPECT_EQ(plots[0].x.ticks.back().text, "casting e4m3"); // its effect depends on the other
    ASSERT_THAT(plots[0].lines, SizeIs(2));
    EXPECT_EQ(plots[0].table.rows[1], (std::vector<std::string>{"checkpointing all", "0.469", "0.303"}));
    EXPECT_THAT(plots[0].description, HasSubstr("saves nothing until"));
}

} // namespace
} // namespace headroom::report::effects_test
