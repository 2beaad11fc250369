// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/PeakSentences.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using config::MemoryCategory;
using testing::HasSubstr;
using testing::Not;

trace::PeakProfile peakOf(const std::string& phase, Bytes savedMiB, Bytes weightsMiB)
{
    return {.totalBytes = (savedMiB + weightsMiB) * kMiB,
        .phase = phase,
        .shares = {{MemoryCategory::SavedActivations, "transformer_blocks.3.ff", savedMiB * kMiB},
            {MemoryCategory::Weights, "proj_in", weightsMiB * kMiB}}};
}

TEST(WhyAboveTest, saysWhatTheHigherOneHasMore)
{
    const NamedPeak none{"none", peakOf("backward", 9'000, 100)};
    const NamedPeak all{"all", peakOf("backward", 1'000, 100)};
    const std::string expected = "none peaks 7.81 GiB above all: 7.81 GiB more saved activations in "
                                 "transformer_blocks.*. Both peak in backward.";
    EXPECT_EQ(whyAbove(none, all), expected);
    EXPECT_EQ(whyAbove(all, none), expected);
}

TEST(WhyAboveTest, saysWhereEachPeaksAndWhatGoesTheOtherWay)
{
    const std::string text =
        whyAbove({"none", peakOf("forward", 900, 10)}, {"all", peakOf("optimizer_step", 100, 110)});
    EXPECT_THAT(text, HasSubstr("against 100 MiB less weights in proj_in"));
    EXPECT_THAT(text, HasSubstr("none peaks in forward, all in optimizer step."));
}

TEST(WhyAboveTest, equalPeaksAreCalledEqual)
{
    EXPECT_THAT(whyAbove({"a", peakOf("forward", 1, 1)}, {"b", peakOf("forward", 1, 1)}),
        HasSubstr("a and b peak at the same 2.00 MiB"));
}

TEST(ProfileOfTest, readsARecordsBreakdown)
{
    const protocol::MemoryBreakdown breakdown{.totalBytes = 7,
        .phase = "forward",
        .modules = {{"a.0", 5, {{"weights", 3}, {"saved_activations", 2}}}, {"", 2, {{"of_tomorrow", 2}}}}};
    const trace::PeakProfile profile = profileOf(breakdown);
    EXPECT_EQ(profile.totalBytes, 7);
    EXPECT_EQ(profile.phase, "forward");
    ASSERT_EQ(profile.shares.size(), 3U);
    EXPECT_EQ(profile.shares[2], (trace::PeakShare{MemoryCategory::Unknown, "", 2}));
    EXPECT_TRUE(profile.phases.empty());
}

config::Configuration trainingOf(const std::string& checkpointing)
{
    config::Configuration configuration = config::defaultConfiguration("ffn-stack-tiny", "model");
    configuration.workload.step = config::StepKind::ForwardBackward;
    configuration.techniques.at("checkpointing").notation = checkpointing;
    return configuration;
}

TEST(WhyWithoutEffectTest, namesTheOwnerTheDistanceAndWhatWouldHelp)
{
    const trace::PeakProfile peak = peakOf("backward", 900, 100);
    const auto owner = ownerOf(peak, trainingOf("none"));
    ASSERT_TRUE(owner);
    const TechniqueAtPeak technique{.key = "split_ffn",
        .notation = "4",
        .region = {.ownHighest = trace::Peak{400 * kMiB, 5}},
        .belowPeakBytes = 600 * kMiB};
    const std::string text = whyWithoutEffect(peak, owner, technique);
    EXPECT_THAT(text,
        HasSubstr("split_ffn 4 changes nothing at the peak of 0.977 GiB in backward: 0.879 GiB of it are "
                  "saved activations in transformer_blocks.*."));
    EXPECT_THAT(text, HasSubstr("memory gets no higher than 0.391 GiB, 0.586 GiB below the peak"));
    EXPECT_THAT(text, HasSubstr("checkpointing ("));
}

TEST(WhyWithoutEffectTest, doesNotAdviseWhatIsOn)
{
    const auto owner = ownerOf(peakOf("backward", 900, 100), trainingOf("all"));
    for (const config::Relief& relief : owner->reliefs)
        EXPECT_NE(relief.technique, "checkpointing");
}

TEST(OwnerOfTest, ofNothingIsNobody)
{
    EXPECT_EQ(ownerOf({}, trainingOf("none")), std::nullopt);
}

} // namespace
} // namespace headroom::experiments
