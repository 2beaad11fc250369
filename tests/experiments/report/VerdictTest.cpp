// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/Verdict.h"

#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

namespace headroom::report {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Verdict verdictFor(std::vector<ReportTrial> trials)
{
    ReportContent content;
    content.trials = std::move(trials);
    return verdictOf(content, Comparison(content.trials));
}

std::vector<std::string> sentencesFor(const std::vector<TrialSketch>& sketches)
{
    return verdictFor(sketched(sketches)).groups.at(0).sentences;
}

TEST(VerdictTest, saysWhatIsFastestAndWhatTheOthersCostAndSave)
{
    const auto sentences = sentencesFor({{.device = "cpu", .peakGib = 10, .stepsPerSecond = 2},
        {.splitFfn = "2", .device = "cpu", .peakGib = 6, .stepsPerSecond = 1.84},
        {.splitFfn = "4", .device = "cpu", .peakGib = 11, .stepsPerSecond = 2.1}});
    EXPECT_THAT(sentences,
        ElementsAre("Fastest that fits: `split_ffn 4` at 2.10 steps/s with a peak of 11.0 GiB allocated.",
            "`split_ffn 2` keeps 92.0 % of the speed of `baseline` and needs 4.00 GiB less.",
            "`split_ffn 4` is 5.0 % faster than `baseline` and needs 1.00 GiB more."));
}

TEST(VerdictTest, whatIntervalsDoNotTellApartIsNotRanked)
{
    const auto sentences = sentencesFor({{.device = "cpu", .peakGib = 10, .stepsPerSecond = 2, .scatter = 0.2},
        {.splitFfn = "2", .device = "cpu", .peakGib = 6, .stepsPerSecond = 2.1, .scatter = 0.2}});
    EXPECT_THAT(sentences,
        ElementsAre("Fastest that fits: `split_ffn 2` at 2.10 steps/s with a peak of 6.00 GiB allocated, not told from "
                    "`baseline` by its interval.",
            "`split_ffn 2` cannot be told from `baseline` in speed and needs 4.00 GiB less."));
}

TEST(VerdictTest, predictionsAreNamedOnceOrEachBesideMeasurements)
{
    const std::vector<TrialSketch> predicted{{.peakGib = 2}, {.splitFfn = "2", .peakGib = 1}};
    const Verdict verdict = verdictFor(sketched(predicted));
    EXPECT_THAT(verdict.groups[0].sentences, Each(Not(HasSubstr("predicted"))));
    EXPECT_THAT(verdict.lead, Contains(HasSubstr("All figures are predictions")));
    std::vector<TrialSketch> beside = predicted;
    beside.push_back({.device = "cpu"});
    EXPECT_THAT(verdictFor(sketched(beside)).groups[0].sentences, Each(HasSubstr("(predicted)")));
    const Verdict measured = verdictFor(sketched({{.device = "cpu"}, {.splitFfn = "2", .device = "cpu"}}));
    EXPECT_THAT(measured.groups[0].sentences, Each(Not(HasSubstr("predicted"))));
    EXPECT_THAT(measured.lead, Contains("All figures were measured."));
}

TEST(VerdictTest, ofTwoEquallyFastOnesTheSmallerIsBest)
{
    EXPECT_THAT(sentencesFor({{.peakGib = 2}, {.splitFfn = "2", .peakGib = 1}}),
        ElementsAre(HasSubstr("Fastest that fits: `split_ffn 2`"), HasSubstr("is as fast as `baseline`")));
}

TEST(VerdictTest, withoutSpeedItSaysWhatIsSmallest)
{
    EXPECT_THAT(
        sentencesFor({{.peakGib = 2, .stepsPerSecond = {}}, {.splitFfn = "2", .peakGib = 1, .stepsPerSecond = {}}}),
        ElementsAre(HasSubstr("Smallest: `split_ffn 2` with a peak of 1.00 GiB"),
            "`split_ffn 2` needs 1.00 GiB less than `baseline`."));
}

TEST(VerdictTest, aReferenceThatDidNotCompleteIsNoReasonForSilence)
{
    const auto sentences = sentencesFor({{.outcome = "out_of_memory"}, {.splitFfn = "2"}});
    EXPECT_THAT(sentences, ElementsAre(HasSubstr("`split_ffn 2`"), HasSubstr("`baseline` ended as out of memory")));
}

TEST(VerdictTest, nothingThatCompletedIsSaidPlainly)
{
    EXPECT_THAT(sentencesFor({{.outcome = "failed"}}), ElementsAre("None of these settings completed."));
}

TEST(VerdictTest, whatDoesNotFitIsNotTheFastestThatFits)
{
    auto trials = sketched({{.peakGib = 9, .stepsPerSecond = 5}, {.splitFfn = "2", .stepsPerSecond = 1}});
    trials[0].result.memory.fits = false;
    EXPECT_THAT(verdictFor(trials).groups[0].sentences[0], HasSubstr("Fastest that fits: `split_ffn 2`"));
    trials[1].result.memory.fits = false;
    EXPECT_EQ(verdictFor(trials).groups[0].sentences[0], "None of these settings fits.");
}

TEST(VerdictTest, anImplausibleTrialIsNotTheBest)
{
    auto trials = sketched({{.stepsPerSecond = 5}, {.splitFfn = "2", .stepsPerSecond = 1}});
    trials[0].result.addFlag("implausible", "");
    const Verdict verdict = verdictFor(trials);
    EXPECT_THAT(verdict.groups[0].sentences[0], HasSubstr("`split_ffn 2`"));
    EXPECT_THAT(verdict.cautions, ElementsAre(HasSubstr("1 trial flagged implausible: `baseline`")));
}

// Each step of the sweep saves a GiB and costs speed, but for one that all others beat.
std::vector<ReportTrial> longFront()
{
    std::vector<TrialSketch> sketches{{.peakGib = 20, .stepsPerSecond = 10}};
    for (int i = 1; i < 9; ++i)
        sketches.push_back(
            {.splitFfn = "tokens:" + std::to_string(i), .peakGib = 20.0 - i, .stepsPerSecond = 10 - 0.1 * i * i});
    sketches.push_back({.splitFfn = "tokens:20", .peakGib = 19.5, .stepsPerSecond = 1});
    for (TrialSketch& sketch : sketches)
        sketch.sequenceLength = 420; // 840 tokens, which 20 and each number below 9 divide
    return sketched(sketches);
}

TEST(VerdictTest, leavesOutNoTrialOnTheFront)
{
    const auto sentences = verdictFor(longFront()).groups.at(0).sentences;
    for (int i = 1; i < 9; ++i)
        EXPECT_THAT(sentences, Contains(testing::StartsWith("`split_ffn tokens:" + std::to_string(i) + "` "))) << i;
    EXPECT_THAT(sentences, Not(Contains(HasSubstr("`split_ffn tokens:20`"))));
}

TEST(VerdictTest, saysWhatKeepsMostSpeedForTheMemoryThatItSaves)
{
    EXPECT_THAT(verdictFor(longFront()).groups.at(0).sentences.at(1),
        testing::StrEq(
            "Keeps most speed for the memory that it saves: `split_ffn tokens:1`, 1.00 GiB less than `baseline` for "
            "1.0 % of the speed, 1.0 % for each GiB."));
    auto trials = longFront();
    trials.resize(3);
    EXPECT_THAT(verdictFor(std::move(trials)).groups.at(0).sentences, Each(Not(HasSubstr("Keeps most speed"))));
}

TEST(VerdictTest, saysWhyPeaksDifferWhereRecordsTell)
{
    protocol::MemoryBreakdown less = sketchedBreakdown();
    less.modules.front().bytes -= 60 * kMiB;
    less.modules.front().categories["saved_activations"] -= 60 * kMiB;
    less.categories["saved_activations"] -= 60 * kMiB;
    less.totalBytes -= 60 * kMiB;
    const auto sentences = sentencesFor(
        {{.peakGib = 2, .breakdown = sketchedBreakdown()}, {.splitFfn = "2", .peakGib = 1.9, .breakdown = less}});
    EXPECT_THAT(sentences.back(),
        HasSubstr(
            "Of what is allocated, `baseline` peaks 60.0 MiB above `split_ffn 2`: 60.0 MiB more saved activations "
            "in blocks."));
}

TEST(VerdictTest, whereNothingIsFlaggedItSaysSo)
{
    EXPECT_THAT(verdictFor(sketched({{}, {.splitFfn = "2"}})).cautions, ElementsAre("No trial is flagged."));
}

TEST(VerdictTest, severalCasesAreSummedUp)
{
    const Verdict verdict = verdictFor(
        sketched({{.peakGib = 10, .stepsPerSecond = 10}, {.splitFfn = "2", .peakGib = 8, .stepsPerSecond = 9},
            {.peakGib = 10, .stepsPerSecond = 10, .activation = "geglu"},
            {.splitFfn = "2", .peakGib = 5, .stepsPerSecond = 8, .activation = "geglu"}}));
    EXPECT_THAT(verdict.across,
        ElementsAre("`split_ffn 2` against `baseline` over 2 cases: saves 20.0 to 50.0 % of the peak memory and keeps "
                    "80.0 to 90.0 "
                    "% of the speed."));
}

TEST(VerdictTest, budgetsAreReported)
{
    ReportContent content;
    content.trials = sketched({{}});
    content.summary = OrderedJson::parse(R"({"budgets":[{"name":"12 GiB","result":"exceeded"}]})");
    EXPECT_THAT(verdictOf(content, Comparison(content.trials)).cautions, Contains("Budget `12 GiB`: exceeded."));
}

TEST(VerdictTest, aRunThatIsNotAtItsEndSaysSo)
{
    ReportContent content;
    content.trials = sketched({{}, {.splitFfn = "2"}, {.splitFfn = "4"}});
    content.trials[1].result.outcome = content.trials[2].result.outcome = Outcome::NotRun;
    content.state = RunState::Open;
    EXPECT_THAT(verdictOf(content, Comparison(content.trials)).cautions,
        Contains(HasSubstr("still going on, or its process was ended from outside. 2 trials of the sweep have not")));
    content.trials.pop_back();
    EXPECT_THAT(verdictOf(content, Comparison(content.trials)).cautions,
        Contains(HasSubstr(" 1 trial of the sweep has not been run.")));
}

} // namespace
} // namespace headroom::report
