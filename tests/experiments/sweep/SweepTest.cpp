// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/Sweep.h"
#include "core/base/Error.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/SweepAxis.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using config::Value;
using testing::ElementsAre;

std::vector<PlannedTrial> trialsOf(const std::string& toml)
{
    return expand(loadSpecText("[model]\nname = \"ffn-stack-tiny\"\n" + toml, "spec.toml", {}));
}

std::vector<std::string> labelsOf(const std::vector<PlannedTrial>& trials)
{
    std::vector<std::string> labels;
    for (const PlannedTrial& planned : trials)
        labels.push_back(planned.label);
    return labels;
}

TEST(SweepTest, deviceVariesSlowestAndTechniquesFastest)
{
    const auto trials = trialsOf("dim = [16, 32]\n[techniques]\nsplit_ffn = [\"off\", \"2\"]\n[workload]\nbatch = [1, "
                                 "2]\n[device]\nname = [\"cpu\", \"sim:h200\"]");
    ASSERT_EQ(trials.size(), 16u);
    EXPECT_THAT(std::vector(trials.begin(), trials.begin() + 5), testing::SizeIs(5));
    const auto labels = labelsOf(trials);
    EXPECT_EQ(labels[0], "cpu | dim 16 | batch 1 | baseline");
    EXPECT_EQ(labels[1], "cpu | dim 16 | batch 1 | split_ffn 2");
    EXPECT_EQ(labels[2], "cpu | dim 16 | batch 2 | baseline");
    EXPECT_EQ(labels[4], "cpu | dim 32 | batch 1 | baseline");
    EXPECT_EQ(labels[8], "sim:h200 | dim 16 | batch 1 | baseline");
}

TEST(SweepTest, notationVariesSlowerThanItsOptionsAndOptionsOfWhatIsOffAreMerged)
{
    const auto trials =
        trialsOf("[techniques.split_ffn]\naccumulate = [\"in_place\", \"out_of_place\"]\nnotation = [\"off\", \"2\"]");
    EXPECT_THAT(labelsOf(trials), ElementsAre("baseline", "split_ffn 2", "split_ffn 2 (accumulate out_of_place)"));
}

TEST(SweepTest, differentSpellingsOfOneValueAreMerged)
{
    EXPECT_EQ(trialsOf("dropout = [0, 0.0]\n[techniques]\nsplit_ffn = [2, \"2\", \"tokens:2\"]").size(), 2u);
}

TEST(SweepTest, anOptimizerWithoutAFormHasThatOfTheDevice)
{
    const auto trials = trialsOf("[workload]\nstep = \"train\"\n[techniques]\noptimizer = \"adamw\"\n"
                                 "[device]\nname = [\"cpu\", \"cuda:0\", \"sim:t4\"]");
    ASSERT_EQ(trials.size(), 3U);
    const auto optimizerOf = [](const PlannedTrial& planned) {
        return planned.trial.configuration.techniques.at("optimizer").notation;
    };
    EXPECT_EQ(optimizerOf(trials[0]), "adamw:loop");
    EXPECT_EQ(optimizerOf(trials[1]), "adamw:foreach");
    EXPECT_EQ(optimizerOf(trials[2]), "adamw:foreach");
    EXPECT_EQ(trials[0].configId, "851ea44f4f25e71a") << "that of before the form was said";
    EXPECT_THAT(labelsOf(trials),
        ElementsAre(
            "cpu | optimizer adamw:loop", "cuda:0 | optimizer adamw:foreach", "sim:t4 | optimizer adamw:foreach"));
}

TEST(SweepTest, allocatorSettingsAreAnAxisWhoseDefaultIsNoSetting)
{
    const auto trials = trialsOf("[device]\nname = [\"sim:h200\", \"cuda:0\"]\nallocator = [\"default\", \"\", "
                                 "\"expandable_segments:True,max_split_size_mb:128\", "
                                 "\"expandable_segments: True, max_split_size_mb:128\"]");
    ASSERT_EQ(trials.size(), 4u);
    EXPECT_EQ(trials[0].trial.allocator, "");
    EXPECT_EQ(trials[1].trial.allocator, "expandable_segments:True,max_split_size_mb:128");
    EXPECT_EQ(trials[3].trial.device.name(), "cuda:0");
    const auto plain = trialsOf("[device]\nname = [\"sim:h200\", \"cuda:0\"]");
    EXPECT_EQ(trials[0].trialId, plain[0].trialId) << "ids of trials without settings are what they were";
    EXPECT_EQ(trials[2].trialId, plain[1].trialId);
}

// LibTorch's parser of that version has one setting less than the simulator, and two more.
TEST(SweepTest, cudaTakesWhatItsLibTorchKnows)
{
    const auto onCuda = [](const std::string& settings) {
        trialsOf("[device]\nname = \"cuda:0\"\nallocator = \"" + settings + "\"");
    };
    EXPECT_NO_THROW(onCuda("backend:cudaMallocAsync"));
    EXPECT_NO_THROW(onCuda("pinned_reserve_segment_size_mb:64"));
    EXPECT_THROW(onCuda("throw_on_cudamalloc_oom:True"), UsageError);
    EXPECT_THROW(onCuda("backend:other"), UsageError);
    EXPECT_NO_THROW(trialsOf("[device]\nname = \"cpu\"\nallocator = \"default\""));
}

TEST(SweepTest, partsThatRepeatATrialDoNotRunItTwice)
{
    EXPECT_EQ(trialsOf("[[part]]\nworkload.batch = [1, 2]\n[[part]]\nworkload.batch = [2, 3]").size(), 3u);
}

TEST(SweepTest, idsAreThoseOfTheProtocol)
{
    const auto trials = trialsOf("[techniques]\nsplit_ffn = [\"off\", \"4\"]");
    for (const PlannedTrial& planned : trials) {
        EXPECT_EQ(planned.trialId, protocol::trialId(planned.trial));
        EXPECT_EQ(planned.configId, protocol::configId(planned.trial.configuration));
        EXPECT_EQ(protocol::trialFromJson(protocol::toJson(planned.trial)), planned.trial);
    }
    EXPECT_NE(trials[0].configId, trials[1].configId);
}

TEST(SweepTest, whatIsLeftOutHasItsDefault)
{
    const auto trials = trialsOf("");
    ASSERT_EQ(trials.size(), 1u);
    EXPECT_EQ(trials[0].trial.configuration, config::defaultConfiguration("ffn-stack-tiny", ""));
    EXPECT_EQ(trials[0].trial.device, config::DeviceSpec{});
    EXPECT_EQ(trials[0].trial.protocol, config::MeasurementProtocol{});
    EXPECT_EQ(trials[0].label, "baseline");
}

TEST(SweepTest, keepsATrialThatCannotWorkWhereOthersCan)
{
    const auto trials = trialsOf("dim = [16, 24]\n[techniques]\nsplit_ffn = [\"off\", \"3\"]");
    ASSERT_EQ(trials.size(), 4u);
    EXPECT_FALSE(trials[1].isRunnable());
    EXPECT_THAT(trials[1].conflicts, ElementsAre("split_ffn = 3 does not divide the feed-forward's inner width 64"));
    EXPECT_EQ(trials[1].skipReason(), trials[1].conflicts[0]);
    EXPECT_TRUE(trials[3].isRunnable());
}

TEST(SweepTest, refusesAValueThatWorksNowhereEvenWhereOthersWork)
{
    EXPECT_THROW(trialsOf("[techniques]\nsplit_ffn = [\"off\", \"3\"]"), UsageError);
    EXPECT_THROW(trialsOf("[techniques]\nsplit_ffn = \"3\""), UsageError);
}

TEST(SweepTest, listValuedFieldsTakeAListOfListsAsAxis)
{
    // No model of the catalogue needs such a field for this test: the axis is made from the field's type alone.
    const SweepAxis axis{"model.axes", {{Value(Value::List{1, 2}), "a"}, {Value(Value::List{3, 4}), "b"}}};
    EXPECT_EQ(numberOfPoints({axis, axis}), 4u);
    EXPECT_EQ(pointAt({axis}, 1).at("model.axes").value, Value(Value::List{3, 4}));
}

TEST(SweepTest, countsPointsWithoutOverflow)
{
    const SweepAxis axis{"x", std::vector<PlacedValue>(1000)};
    EXPECT_EQ(numberOfPoints(std::vector<SweepAxis>(50, axis)), kMostTrials + 1);
}

TEST(SweepTest, whereNothingCanRunTheSettingAtFaultIsNamedWithWhatWorks)
{
    const std::string toml = "[model]\nname = \"ltx-video-tiny\"\n[workload]\nframes = 120\n";
    EXPECT_EQ(refusal([&] { expand(loadSpecText(toml, "spec.toml", {})); }),
        "spec.toml:4:1: workload.frames: no trial can work: frames = 120 is not one more than a multiple of 8 "
        "(valid: 113 or 121)");
}

} // namespace
} // namespace headroom::experiments
