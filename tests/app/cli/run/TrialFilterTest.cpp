// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/TrialFilter.h"

#include "core/base/Error.h"
#include "experiments/spec/SpecLoader.h"
#include "tests/support/Refusal.h"

#include <gtest/gtest.h>

namespace headroom::cli::trial_filter_test {
namespace {

using namespace experiments;

constexpr const char* kSpec = R"(
[model]
name = "ffn-stack-tiny"
dim = [16, 32]
[techniques.split_ffn]
notation = ["off", "2", "tokens:2"]
[device]
name = ["cpu", "sim:t4@torch-2.5"]
)";

std::vector<PlannedTrial> plan()
{
    return expand(loadSpecText(kSpec, "spec.toml", {}));
}

std::size_t kept(const std::string& expression)
{
    return TrialFilter(expression, "--filter").kept(plan()).size();
}

TEST(TrialFilterTest, anEmptyExpressionKeepsEverythingInOrder)
{
    const auto all = TrialFilter("", "--filter").kept(plan());
    ASSERT_EQ(all.size(), 12u);
    for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_EQ(all[i].trialId, plan()[i].trialId);
}

TEST(TrialFilterTest, keepsTrialsWithAnyOfTheValues)
{
    EXPECT_EQ(kept("split_ffn=2"), 4u);
    EXPECT_EQ(kept("split_ffn=off,tokens:2"), 8u);
    EXPECT_EQ(kept("model.dim=32"), 6u);
    EXPECT_EQ(kept("device.name=sim:t4"), 6u);
}

TEST(TrialFilterTest, everyTermHasToHold)
{
    EXPECT_EQ(kept("split_ffn=2 model.dim=32 device.name=cpu"), 1u);
    EXPECT_EQ(kept("  split_ffn=2   model.dim=16,32 "), 4u);
}

TEST(TrialFilterTest, unequalLeavesOutEachOfTheValues)
{
    EXPECT_EQ(kept("split_ffn!=off"), 8u);
    EXPECT_EQ(kept("split_ffn!=off,2"), 4u);
}

TEST(TrialFilterTest, nothingLeftIsBadUsage)
{
    EXPECT_EQ(refusal([] { kept("split_ffn=8"); }),
        "--filter: no trial matches \"split_ffn=8\" (valid: an expression that some trial meets; --dry-run lists "
        "them)");
}

TEST(TrialFilterTest, refusesWhatIsNoTerm)
{
    for (const char* text : {"split_ffn", "=4", "split_ffn=", "!=4"})
        EXPECT_EQ(refusal([&] { kept(text); }),
            std::string("--filter: found \"") + text
                + "\" (valid: PATH=VALUE or PATH!=VALUE, such as split_ffn=4 or model.dim=2048)");
}

TEST(TrialFilterTest, refusesUnknownPathsAndValuesOfTheWrongType)
{
    EXPECT_THROW(kept("split_fnn=4"), UsageError);
    EXPECT_THROW(kept("model.dimm=16"), UsageError);
    EXPECT_THROW(kept("model.dim=wide"), UsageError);
    EXPECT_THROW(kept("split_ffn=sideways"), UsageError);
}

} // namespace
} // namespace headroom::cli::trial_filter_test
