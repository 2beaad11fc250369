// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/Plausibility.h"

#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/verdict/DeviceFit.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using protocol::RepeatResult;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Bytes kMega = 1'000'000;

/// One trial after the other, each with what its rule looks at.
class Row {
public:
    explicit Row(const std::string& step = "forward_backward", const std::string& device = "cpu")
    {
        const auto spec = loadSpecText(
            "model.name = \"ffn-stack-tiny\"\nworkload.step = \"" + step + "\"\ndevice.name = \"" + device + "\"\n",
            "spec.toml", {});
        m_planned = expand(spec).front();
        m_result.outcome = Outcome::Completed;
        m_result.memory.peak.allocated = 100 * kMega;
        m_result.weightBytes = kMega;
        m_result.stepSeconds = {1.0, 1.0, 1.0};
    }

    Row& named(const std::string& label)
    {
        m_planned.label = label;
        m_planned.trialId = label + std::string(16, '0');
        return *this;
    }
    Row& peak(Bytes bytes)
    {
        m_result.memory.peak.allocated = bytes;
        return *this;
    }
    Row& harness(Bytes bytes)
    {
        m_result.memory.harness = {{"baseline output", bytes}};
        return *this;
    }
    Row& weights(Bytes bytes)
    {
        m_result.weightBytes = bytes;
        return *this;
    }
    Row& retries(int count)
    {
        m_result.memory.allocRetries = count;
        return *this;
    }
    /// Seconds of each step of one process.
    Row& seconds(double value)
    {
        m_result.stepSeconds = {value * 0.99, value, value, value, value * 1.01};
        return *this;
    }
    Row& processes(int count)
    {
        m_processes = count;
        return *this;
    }
    Row& checkpointing(const std::string& notation, std::int64_t blocks)
    {
        m_notation = notation;
        m_result.engagement["checkpointing"] = {{"blocks_checkpointed", blocks}, {"blocks_recomputed", blocks}};
        return *this;
    }
    Row& trained(const std::string& notation)
    {
        m_planned.trial.configuration.techniques["trainable"] =
            config::makeSetting(config::findTechnique("trainable", ""), notation, {}, "trainable");
        return *this;
    }
    Row& split(const std::string& notation, std::int64_t slices)
    {
        m_split = notation;
        m_result.engagement["split_ffn"] = {{"layers_split", 2}, {"slices_run", 2 * slices}};
        return *this;
    }
    Row& captured()
    {
        m_isCaptured = true;
        return *this;
    }
    Row& outputDiffersBy(double relative)
    {
        m_result.numerics.emplace().outputRelL2 = relative;
        return *this;
    }

    TrialResult result() const
    {
        TrialResult result =
            trialResult("e", m_planned, std::vector<RepeatResult>(static_cast<std::size_t>(m_processes), m_result));
        for (TechniqueResult& technique : result.techniques.edit()) {
            if (technique.key == "checkpointing")
                technique = {technique.key, m_notation, {}};
            if (technique.key == "split_ffn")
                technique.notation = m_split;
        }
        if (m_isCaptured)
            result.model.imported.emplace();
        return result;
    }

private:
    PlannedTrial m_planned;
    RepeatResult m_result;
    std::string m_notation = "none";
    std::string m_split = "off";
    bool m_isCaptured = false;
    int m_processes = 2;
};

SweepResults resultsOf(const std::vector<Row>& rows)
{
    SweepResults list;
    for (const Row& row : rows)
        list.push_back(row.result());
    return list;
}

/// The flags of each trial, "-" for none.
std::vector<std::string> flags(const std::vector<Row>& rows, const PeakFlops& peak = {})
{
    SweepResults list = resultsOf(rows);
    applyPlausibility(list, peak);
    std::vector<std::string> found;
    for (const auto& result : list)
        found.push_back(result->flags.empty() ? "-" : joined(result->flagNames(), " "));
    return found;
}

// As it should be: the published order of four policies.
std::vector<Row> policies()
{
    return {Row().named("none").peak(267 * kMega).seconds(0.595).checkpointing("none", 0),
        Row().named("all").peak(93 * kMega).seconds(0.736).checkpointing("all", 28),
        Row().named("half").peak(176 * kMega).seconds(0.650).checkpointing("every:2", 14),
        Row().named("quarter").peak(222 * kMega).seconds(0.603).checkpointing("every:4", 7)};
}

TEST(PlausibilityTest, thePublishedTableIsPlausible)
{
    EXPECT_THAT(flags(policies()), ElementsAre("-", "-", "-", "-"));
}

// The first version of that table: without warm-up of the backward pass, "none" took 1.7 s a step.
TEST(PlausibilityTest, theTableWithTheOrderEffectIsNot)
{
    auto rows = policies();
    rows[0].seconds(1 / 0.582);
    EXPECT_THAT(flags(rows), ElementsAre("implausible", "implausible", "implausible", "implausible"));
    SweepResults list = resultsOf(rows);
    applyPlausibility(list);
    EXPECT_THAT(list[1]->flagReasons().at(0),
        HasSubstr(
            "implausible: recomputing blocks cannot save time, yet \"all\" (all00000) with 28 blocks "
            "checkpointed takes 0.736 s a step and \"none\" (none0000) with 0 blocks checkpointed takes 1.71821 s"));
}

TEST(PlausibilityTest, aSpeedOfOneProcessIsASuspicionOnly)
{
    auto rows = policies();
    rows[0].seconds(1 / 0.582).processes(1);
    EXPECT_THAT(flags(rows), ElementsAre("-", "-", "-", "-"));
    EXPECT_THAT(contradictingTrials(resultsOf(rows)), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(contradictingTrials(resultsOf(policies())), IsEmpty());
    rows[0].processes(2);
    EXPECT_THAT(contradictingTrials(resultsOf(rows)), IsEmpty()) << "it was measured again, and is a finding now";
}

TEST(PlausibilityTest, smallAndNoisyDifferencesOfSpeedAreNone)
{
    auto rows = policies();
    rows[0].seconds(0.736 * 1.09);
    rows[1].seconds(0.736);
    rows.resize(2);
    EXPECT_THAT(flags(rows), ElementsAre("-", "-"));
}

TEST(PlausibilityTest, pressureExplainsASlowBaseline)
{
    auto rows = policies();
    rows[0].seconds(1 / 0.582).retries(3);
    EXPECT_THAT(flags(rows), ElementsAre("pressured", "-", "-", "-"));
}

TEST(PlausibilityTest, moreCheckpointedBlocksCannotNeedMoreMemory)
{
    auto rows = policies();
    rows[1].peak(270 * kMega);
    EXPECT_THAT(flags(rows), ElementsAre("implausible", "implausible", "implausible", "implausible"));
    rows[1].peak(269 * kMega);
    rows.resize(2);
    EXPECT_THAT(flags(rows), ElementsAre("-", "-")) << "within 1 %";
    rows[1].peak(300 * kMega).harness(40 * kMega);
    EXPECT_THAT(flags(rows), ElementsAre("-", "-")) << "what the measuring keeps does not count";
}

TEST(PlausibilityTest, oneBlockMoreMayCostWhatItSaves)
{
    EXPECT_THAT(flags({Row().named("none").peak(100 * kMega).seconds(1),
                    Row().named("last").peak(104 * kMega).seconds(1.1).checkpointing("blocks:3", 1)}),
        ElementsAre("-", "-"));
}

TEST(PlausibilityTest, onlyTrialsThatAreEqualOtherwiseAreCompared)
{
    EXPECT_THAT(flags({Row("forward_backward").named("none").peak(100 * kMega),
                    Row("train").named("all").peak(200 * kMega).checkpointing("all", 28)}),
        ElementsAre("-", "-"));
}

TEST(PlausibilityTest, predictionsFollowTheSameRulesWithoutNoise)
{
    const auto predicted = [](const char* name) { return Row("forward_backward", "sim:t4").named(name).processes(1); };
    EXPECT_THAT(flags({predicted("none").peak(200 * kMega).seconds(0.72),
                    predicted("all").peak(100 * kMega).seconds(0.70).checkpointing("all", 28)}),
        ElementsAre("implausible", "implausible"));
    EXPECT_THAT(contradictingTrials(resultsOf(
                    {predicted("none").seconds(0.72), predicted("all").seconds(0.70).checkpointing("all", 28)})),
        IsEmpty())
        << "there is nothing to measure again";
}

TEST(PlausibilityTest, moreSlicesNeverRaiseThePeakOfInference)
{
    const auto row = [](const char* notation, std::int64_t slices, Bytes peak, const char* step = "inference") {
        return Row(step).named(notation).split(notation, slices).peak(peak).seconds(double(slices));
    };
    EXPECT_THAT(flags({row("2", 2, 50 * kMega), row("4", 4, 40 * kMega)}), ElementsAre("-", "-"));
    EXPECT_THAT(flags({row("2", 2, 40 * kMega), row("4", 4, 50 * kMega)}), ElementsAre("implausible", "implausible"));
    EXPECT_THAT(flags({row("tokens:2", 2, 40 * kMega), row("4", 4, 50 * kMega)}), ElementsAre("-", "-"))
        << "another axis";
    EXPECT_THAT(flags({row("2", 2, 40 * kMega, "train"), row("4", 4, 50 * kMega, "train")}), ElementsAre("-", "-"))
        << "training saves every slice";
}

TEST(PlausibilityTest, aPeakBelowTheWeightsIsImplausible)
{
    EXPECT_THAT(flags({Row("inference").named("a").peak(kMega - 1)}), ElementsAre("implausible"));
    EXPECT_THAT(flags({Row("inference").named("a").peak(kMega)}), ElementsAre("-"));
    EXPECT_THAT(flags({Row("train").named("a").peak(2 * kMega - 1)}), ElementsAre("implausible")) << "gradients";
    EXPECT_THAT(flags({Row("train").named("a").peak(2 * kMega)}), ElementsAre("-"));
}

// Its forward may leave out weights, which then get no gradients.
TEST(PlausibilityTest, aCapturedModelNeedNotHaveAGradientForEachWeight)
{
    EXPECT_THAT(flags({Row("train").captured().named("a").peak(kMega)}), ElementsAre("-"));
    EXPECT_THAT(flags({Row("train").captured().named("a").peak(kMega - 1)}), ElementsAre("implausible"));
}

TEST(PlausibilityTest, nothingIsFasterThanItsDevice)
{
    DeviceFit devices(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources");
    const PeakFlops peak = [&](const std::string& device) { return devices.peakFlops(device); };
    EXPECT_EQ(peak("cpu"), std::nullopt);
    EXPECT_GT(peak("sim:t4").value_or(0), 1e12);
    EXPECT_THAT(flags({Row("inference", "sim:t4").named("a").seconds(1e-12)}, peak), ElementsAre("implausible"));
    EXPECT_THAT(flags({Row("inference", "sim:t4").named("a").seconds(1)}, peak), ElementsAre("-"));
    EXPECT_THAT(flags({Row("inference", "cpu").named("a").seconds(1e-12)}, peak), ElementsAre("-"));
}

TEST(PlausibilityTest, whatEqualsItsBaselineInEverythingHasNoEffect)
{
    const Row baseline = Row().named("baseline");
    const auto all = [] { return Row().named("all").checkpointing("all", 1).outputDiffersBy(0); };
    EXPECT_THAT(flags({baseline, all()}), ElementsAre("-", "no_effect"));
    EXPECT_THAT(flags({baseline, all().peak(90 * kMega)}), ElementsAre("-", "-"));
    EXPECT_THAT(flags({baseline, all().seconds(1.2)}), ElementsAre("-", "-"));
    EXPECT_THAT(flags({baseline, all().outputDiffersBy(0.01)}), ElementsAre("-", "-"));
    EXPECT_THAT(flags({baseline, Row().named("all").checkpointing("all", 1)}), ElementsAre("-", "-"))
        << "a measured output that was not compared is not known to be the same";
}

TEST(PlausibilityTest, aPredictionThatDiffersAtAllHasAnEffect)
{
    const auto predicted = [](const char* name) { return Row("inference", "sim:t4").named(name).peak(200 * kMega); };
    const Row none = predicted("none");
    const auto all = [&] { return predicted("all").checkpointing("all", 1); };
    EXPECT_THAT(flags({none, all()}), ElementsAre("-", "no_effect"));
    EXPECT_THAT(flags({none, all().peak(200 * kMega + 512)}), ElementsAre("-", "-"));
    EXPECT_THAT(flags({none, all().seconds(1.01)}), ElementsAre("-", "-"));
}

TEST(PlausibilityTest, aBaselineKeepsItsTask)
{
    const auto lora = [] { return Row().trained("lora:4"); };
    const Row all = lora().named("all").checkpointing("all", 1).outputDiffersBy(0);
    EXPECT_THAT(flags({lora().named("baseline"), all}), ElementsAre("-", "no_effect"));
    EXPECT_THAT(flags({Row().named("other task"), all}), ElementsAre("-", "-"));
    EXPECT_THAT(flags({Row().named("baseline"), lora().named("lora").outputDiffersBy(0)}), ElementsAre("-", "-"))
        << "another task is no lever without effect";
}

TEST(PlausibilityTest, aSecondCallAddsNothingAndHolesAreSkipped)
{
    auto rows = policies();
    rows[1].peak(270 * kMega);
    SweepResults list = resultsOf(rows);
    list.insert(list.begin() + 1, std::nullopt);
    applyPlausibility(list);
    const auto once = list;
    applyPlausibility(list);
    EXPECT_TRUE(list == once);
    EXPECT_TRUE(!list[1]);
}

} // namespace
} // namespace headroom::experiments
