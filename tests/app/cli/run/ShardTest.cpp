// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/Shard.h"

#include "core/base/Error.h"
#include "experiments/spec/SpecLoader.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace headroom::cli {
namespace {

using experiments::PlannedTrial;

// 24 runnable trials and 8 skipped ones (every fourth).
std::vector<PlannedTrial> sweep()
{
    return experiments::expand(experiments::loadSpecText(R"(
[model]
name = "ffn-stack-tiny"
num_layers = [1, 2, 3, 4]
[workload]
batch = [1, 2]
[techniques]
split_ffn = ["off", "2", "4", "8"]
[[exclude]]
split_ffn = "8"
)",
        "spec.toml", {}));
}

std::vector<std::string> idsOf(const std::vector<PlannedTrial>& trials)
{
    std::vector<std::string> ids;
    for (const PlannedTrial& planned : trials)
        ids.push_back(planned.trialId);
    return ids;
}

TEST(ShardTest, thePartsTogetherAreTheWholeAndShareNothing)
{
    for (const std::size_t count : {1u, 2u, 3u, 4u, 7u, 32u, 40u}) {
        std::vector<std::string> all;
        for (std::size_t number = 1; number <= count; ++number)
            for (const std::string& id : idsOf(Shard{number, count}.part(sweep())))
                all.push_back(id);
        EXPECT_THAT(all, testing::UnorderedElementsAreArray(idsOf(sweep()))) << count;
    }
}

TEST(ShardTest, thePartsAreOfOneSizeInWhatIsRunAndInWhatIsSkipped)
{
    for (const std::size_t count : {2u, 3u, 4u, 5u}) {
        std::set<std::ptrdiff_t> run, skipped;
        for (std::size_t number = 1; number <= count; ++number) {
            const auto part = Shard{number, count}.part(sweep());
            const auto runnable =
                std::count_if(part.begin(), part.end(), [](const auto& planned) { return planned.isRunnable(); });
            run.insert(runnable);
            skipped.insert(std::ssize(part) - runnable);
        }
        EXPECT_LE(*run.rbegin() - *run.begin(), 1) << count;
        EXPECT_LE(*skipped.rbegin() - *skipped.begin(), 1) << count;
    }
}

TEST(ShardTest, aPartKeepsTheOrderOfTheSweep)
{
    const auto whole = idsOf(sweep());
    const auto part = idsOf(Shard{2, 3}.part(sweep()));
    std::vector<std::ptrdiff_t> places;
    for (const std::string& id : part)
        places.push_back(std::find(whole.begin(), whole.end(), id) - whole.begin());
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
}

TEST(ShardTest, whereATrialGoesDoesNotDependOnItsPlaceInTheSweep)
{
    auto reversed = sweep();
    std::reverse(reversed.begin(), reversed.end());
    EXPECT_THAT(
        idsOf(Shard{1, 3}.part(reversed)), testing::UnorderedElementsAreArray(idsOf(Shard{1, 3}.part(sweep()))));
}

// If every other trial is slow, dealing in sweep order would give all slow trials to one of two parts.
TEST(ShardTest, noPartGetsAllOfOneTechnique)
{
    const auto part = Shard{1, 2}.part(sweep());
    std::set<std::string> notations;
    for (const PlannedTrial& planned : part)
        notations.insert(planned.trial.configuration.techniques.at("split_ffn").notation);
    EXPECT_GE(notations.size(), 3u);
}

TEST(ShardTest, isWrittenAsTwoNumbers)
{
    EXPECT_EQ(Shard::fromText("2/4").text(), "2/4");
    EXPECT_EQ(Shard::fromText("1/1").count, 1u);
    for (const char* text : {"0/4", "5/4", "0/0", "1/0", "2", "2/", "/4", "a/b", "1/2/3", "-1/2", "1 /2", "1/2x",
             "+1/2", "99999999999999999999/2"}) {
        SCOPED_TRACE(text);
        EXPECT_EQ(refusal([&] { Shard::fromText(text); }),
            "--shard: found \"" + std::string(text) + "\" (valid: I/N with I from 1 to N, such as 2/4)");
    }
}

} // namespace
} // namespace headroom::cli
