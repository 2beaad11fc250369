// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/PeakProfile.h"

#include <gtest/gtest.h>

#include <random>

namespace headroom::trace {
namespace {

using config::MemoryCategory;

TEST(PartOfModelTest, leavesTheFirstNumberOpen)
{
    EXPECT_EQ(partOfModel("transformer_blocks.3.ff.net.0.proj"), "transformer_blocks.*");
    EXPECT_EQ(partOfModel("decoder.layers.11"), "decoder.layers.*");
    EXPECT_EQ(partOfModel("time_embed.emb.linear_1"), "time_embed");
    EXPECT_EQ(partOfModel("proj_in"), "proj_in");
    EXPECT_EQ(partOfModel("7"), "*");
    EXPECT_EQ(partOfModel(""), "");
}

PeakProfile peakOf(Bytes savedPerBlock, Bytes recomputed)
{
    PeakProfile peak{.phase = "backward"};
    for (int i = 0; i < 4; ++i)
        peak.shares.push_back({MemoryCategory::SavedActivations, "blocks." + std::to_string(i) + ".ff", savedPerBlock});
    peak.shares.push_back({MemoryCategory::Weights, "blocks.0", 50});
    if (recomputed > 0)
        peak.shares.push_back({MemoryCategory::RecomputedActivations, "blocks.3.ff", recomputed});
    for (const PeakShare& share : peak.shares)
        peak.totalBytes += share.bytes;
    return peak;
}

TEST(PeakDifferenceTest, sumsPartsOfTheModelAndLeavesOutWhatIsEqual)
{
    const PeakDifference difference = differenceOf(peakOf(100, 0), peakOf(10, 80));
    EXPECT_EQ(difference.shares,
        (std::vector<ShareDifference>{{MemoryCategory::SavedActivations, "blocks.*", 400, 40},
            {MemoryCategory::RecomputedActivations, "blocks.*", 0, 80}}));
    EXPECT_EQ(difference.total(), 280);
    EXPECT_EQ(difference.reasons().size(), 1u);
    EXPECT_EQ(difference.counterweight()->part, "blocks.*");
    EXPECT_FALSE(differenceOf(peakOf(100, 0), peakOf(10, 30)).counterweight());
}

TEST(PeakDifferenceTest, asManyReasonsAsItTakesToFourFifths)
{
    PeakProfile higher;
    for (const auto& [module, bytes] :
        {std::pair("a", Bytes{50}), {"b", Bytes{25}}, {"c", Bytes{15}}, {"d", Bytes{10}}})
        higher.shares.push_back({MemoryCategory::Temporaries, module, bytes});
    higher.totalBytes = 100;
    const auto reasons = differenceOf(higher, {}).reasons();
    ASSERT_EQ(reasons.size(), 3u);
    EXPECT_EQ(reasons.back().part, "c");
}

TEST(PeakDifferenceTest, phasesThatOnlyOneHasAreThere)
{
    PeakProfile higher;
    PeakProfile lower;
    higher.phases["forward"].of(MemoryCategory::Weights) = 3;
    lower.phases["backward"].of(MemoryCategory::Weights) = 4;
    const auto phases = differenceOf(higher, lower).phases;
    ASSERT_EQ(phases.size(), 2u);
    EXPECT_EQ(phases[0].phase, "backward");
    EXPECT_FALSE(phases[0].higher);
    EXPECT_EQ(phases[0].lower->total(), 4);
    EXPECT_FALSE(phases[1].lower);
}

TEST(PeakDifferenceTest, alwaysSumsToTheDifferenceOfThePeaks)
{
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        PeakProfile peaks[2];
        for (PeakProfile& peak : peaks)
            for (int i = 0; i < 20; ++i) {
                peak.shares.push_back({config::kMemoryCategories[random() % config::kMemoryCategoryCount],
                    "blocks." + std::to_string(random() % 3), static_cast<Bytes>(random() % 1'000)});
                peak.totalBytes += peak.shares.back().bytes;
            }
        EXPECT_EQ(differenceOf(peaks[0], peaks[1]).total(), peaks[0].totalBytes - peaks[1].totalBytes);
    }
}

} // namespace
} // namespace headroom::trace
