// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::ElementsAre;

// Labels of the trials that the rules exclude, with the reason.
std::vector<std::string> excluded(const std::string& sweep, const std::string& rules)
{
    std::vector<std::string> found;
    for (const PlannedTrial& planned :
        expand(loadSpecText("[model]\nname = \"ffn-stack-tiny\"\n" + sweep + "\n" + rules, "spec.toml", {})))
        if (!planned.excludedBecause.empty())
            found.push_back(planned.label + ": " + planned.skipReason());
    return found;
}

const char* const kSweep = "dim = [16, 32]\n[techniques]\nsplit_ffn = [\"off\", \"2\", \"4\"]";

TEST(ExcludeTest, needsEverySettingToMatch)
{
    EXPECT_THAT(excluded(kSweep, "[[exclude]]\nsplit_ffn = \"2\"\nmodel.dim = 32\nreason = \"known\""),
        ElementsAre("dim 32 | split_ffn 2: known"));
}

TEST(ExcludeTest, anOptimizerWithoutAFormIsThatOfTheDevice)
{
    const std::string sweep = "[workload]\nstep = \"train\"\n[techniques]\noptimizer = [\"adamw:loop\", "
                              "\"adamw:foreach\"]\n[device]\nname = ";
    const std::string rule = "[[exclude]]\noptimizer = \"adamw\"";
    EXPECT_THAT(excluded(sweep + "\"sim:t4\"", rule), ElementsAre("optimizer adamw:foreach: excluded"));
    EXPECT_THAT(excluded(sweep + "\"cpu\"", rule), ElementsAre("optimizer adamw:loop: excluded"));
}

TEST(ExcludeTest, aListMatchesAnyOfItsValues)
{
    EXPECT_THAT(excluded(kSweep, "[[exclude]]\nsplit_ffn = [2, \"4\"]\nmodel.dim = [32]"),
        ElementsAre("dim 32 | split_ffn 2: excluded", "dim 32 | split_ffn 4: excluded"));
}

TEST(ExcludeTest, theFirstRuleThatMatchesGivesTheReason)
{
    EXPECT_THAT(excluded(kSweep,
                    "[[exclude]]\nsplit_ffn = \"4\"\nmodel.dim = 16\nreason = \"a\"\n"
                    "[[exclude]]\nsplit_ffn = \"4\"\nreason = \"b\""),
        ElementsAre("dim 16 | split_ffn 4: a", "dim 32 | split_ffn 4: b"));
}

TEST(ExcludeTest, matchesOptionsWorkloadDeviceAndProtocol)
{
    const char* sweep = "[techniques.split_ffn]\nnotation = [\"off\", \"2\"]\naccumulate = [\"in_place\", "
                        "\"out_of_place\"]\n[device]\nname = [\"cpu\", \"sim:h200\", \"sim:h200@torch-2.5\"]";
    EXPECT_THAT(excluded(sweep, "[[exclude]]\nsplit_ffn.accumulate = \"out_of_place\"\ndevice.name = \"cpu\""),
        ElementsAre("cpu | split_ffn 2 (accumulate out_of_place): excluded"));
    EXPECT_EQ(excluded(sweep, "[[exclude]]\ndevice.name = \"sim:h200\"").size(), 6u);
    EXPECT_EQ(excluded(sweep, "[[exclude]]\ndevice.name = \"sim:h200@torch-2.5\"").size(), 3u);
    EXPECT_EQ(excluded(sweep, "[[exclude]]\nworkload.dtype = \"float32\"\nprotocol.steps = 5").size(), 9u);
    EXPECT_TRUE(excluded(sweep, "[[exclude]]\nworkload.clip_grad_norm = 1").empty());
}

TEST(ExcludeTest, matchesAllocatorSettingsHoweverTheyAreSpelt)
{
    const char* sweep = "[device]\nname = \"sim:h200\"\nallocator = [\"default\", \"expandable_segments:True\"]";
    EXPECT_THAT(excluded(sweep, "[[exclude]]\ndevice.allocator = \" expandable_segments: True\""),
        ElementsAre("allocator expandable_segments:True | baseline: excluded"));
    EXPECT_THAT(excluded(sweep, "[[exclude]]\ndevice.allocator = \"default\""),
        ElementsAre("allocator default | baseline: excluded"));
}

TEST(ExcludeTest, aValueThatWorksNowhereMayBeExcluded)
{
    EXPECT_THAT(excluded("[techniques]\nsplit_ffn = [\"off\", \"3\"]", "[[exclude]]\nsplit_ffn = 3"),
        ElementsAre("split_ffn 3: excluded; split_ffn = 3 does not divide the feed-forward's inner width 64"));
}

} // namespace
} // namespace headroom::experiments
