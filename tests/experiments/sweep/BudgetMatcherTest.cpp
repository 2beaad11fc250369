// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/BudgetMatcher.h"

#include "core/base/Error.h"
#include "experiments/spec/BudgetReader.h"
#include "experiments/spec/SpecLoader.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kSpec = R"(
[model]
name = "ffn-stack-tiny"
[techniques]
split_ffn = ["off", "2", "4"]
[device]
name = ["cpu", "sim:t4@torch-2.5"]
[[exclude]]
split_ffn = "4"
reason = "of no interest"
)";

std::vector<PlannedTrial> sweep()
{
    return expand(loadSpecText(kSpec, "spec.toml", {}));
}

std::vector<std::string> matched(const std::string& keys)
{
    const Budget budget = readBudgetText("[[budget]]\n" + keys, "budgets.toml").at(0);
    std::vector<std::string> found;
    for (const PlannedTrial& planned : sweep())
        if (applies(budget, planned))
            found.push_back(
                planned.trial.device.name() + " " + planned.trial.configuration.techniques.at("split_ffn").notation);
    return found;
}

void expectRefused(const std::string& keys, const std::string& text)
{
    SCOPED_TRACE(keys);
    const std::string message =
        refusal([&] { requireUsable(readBudgetText("[[budget]]\n" + keys, "budgets.toml"), sweep()); });
    EXPECT_THAT(message, HasSubstr(text));
    EXPECT_THAT(message, HasSubstr("budgets.toml:"));
}

TEST(BudgetMatcherTest, withoutPatternsItIsAboutEveryTrialThatIsRun)
{
    EXPECT_THAT(matched("max_peak_gib = 1"), ElementsAre("cpu off", "cpu 2", "sim:t4 off", "sim:t4 2"));
}

TEST(BudgetMatcherTest, everyPatternHasToFit)
{
    EXPECT_THAT(matched("max_peak_gib = 1\ndevice = \"sim:*\"\nsplit_ffn = \"2\""), ElementsAre("sim:t4 2"));
    EXPECT_THAT(matched("max_peak_gib = 1\nmodel = \"ffn-*\"\nsplit_ffn = [\"2\", \"of?\"]\ndevice = \"cpu\""),
        ElementsAre("cpu off", "cpu 2"));
    EXPECT_THAT(matched("max_peak_gib = 1\nmodel = \"ltx-*\""), IsEmpty());
    EXPECT_THAT(matched("max_peak_gib = 1\nlabel = \"cpu | *\""), ElementsAre("cpu off", "cpu 2"));
}

TEST(BudgetMatcherTest, aDeviceFitsWithItsRuntimeAndWithout)
{
    for (const char* device : {"sim:t4", "sim:t4@torch-2.5", "*@torch-2.5"})
        EXPECT_THAT(matched(std::string("fits = true\nsplit_ffn = \"2\"\ndevice = \"") + device + "\""),
            ElementsAre("sim:t4 2"));
}

TEST(BudgetMatcherTest, skippedTrialsCountOnlyWhereTheyHaveToComplete)
{
    EXPECT_THAT(matched("must_complete = true\nsplit_ffn = \"4\""), ElementsAre("cpu 4", "sim:t4 4"));
    expectRefused("fits = true\nsplit_ffn = \"4\"", "matches no trial that is run (those it matches are skipped)");
}

TEST(BudgetMatcherTest, aBudgetThatMatchesNothingIsRefused)
{
    expectRefused("fits = true\nmodel = \"ltx-*\"", "budgets.toml:1:1: budget: \"budget 1\" matches no trial (valid: ");
}

TEST(BudgetMatcherTest, limitsThatCannotBeDecidedAreRefused)
{
    expectRefused("max_output_rel_l2 = 0.1", "is about sim:t4@torch-2.5, which computes no values");
    expectRefused("max_peak_gib = 1\npeak = \"reserved\"", "is about cpu, which has no reserved memory");
    expectRefused("fits = true\ndevice = \"cpu\"", "is about cpu, which has no limit that it could fit");
    expectRefused("max_loss_abs_diff = 1\ndevice = \"cpu\"", "is about cpu, which runs inference");
    expectRefused("max_peak_gib = 1\npeak = \"device\"", "budget.max_peak_gib: \"budget 1\" is about cpu");
    EXPECT_NO_THROW(requireUsable(
        readBudgetText("[[budget]]\nmax_output_rel_l2 = 0.1\ndevice = \"cpu\"\n[[budget]]\nmax_peak_gib = 1\n"
                       "peak = \"device\"\ndevice = \"sim:*\"\n",
            "budgets.toml"),
        sweep()));
}

} // namespace
} // namespace headroom::experiments
