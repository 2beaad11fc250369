// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/BudgetReader.h"

#include "core/base/Bytes.h"
#include "core/base/Error.h"
#include "experiments/spec/SpecLoader.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::experiments::budget_reader_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Budget> read(const std::string& toml)
{
    return readBudgetText(toml, "budgets.toml");
}

TEST(BudgetReaderTest, readsPatternsAndLimits)
{
    const auto budgets = read(R"(
[[budget]]
name = "small"
model = ["ltx-*", "ffn-stack"]
device = "sim:*"
split_ffn = "4"
max_peak_gib = 12
peak = "allocated"
min_steps_per_second = 0.5
[[budget]]
max_output_rel_l2 = 0
fits = true
must_complete = true
ambiguous = "pass"
)");
    ASSERT_EQ(budgets.size(), 2u);
    EXPECT_EQ(budgets[0].name, "small");
    ASSERT_EQ(budgets[0].patterns.size(), 3u);
    EXPECT_THAT(budgets[0].patterns[1].globs, ElementsAre("ltx-*", "ffn-stack"));
    ASSERT_EQ(budgets[0].limits.size(), 2u);
    EXPECT_EQ(budgets[0].limits[0].amount, 12.0 * kGiB);
    EXPECT_EQ(budgets[0].limits[0].peak, PeakFigure::Allocated);
    EXPECT_EQ(budgets[0].limits[1].amount, 0.5);
    EXPECT_EQ(budgets[0].onAmbiguity, AmbiguityPolicy::Unusable);
    EXPECT_EQ(budgets[1].name, "budget 2");
    EXPECT_EQ(budgets[1].limits.size(), 3u);
    EXPECT_EQ(budgets[1].onAmbiguity, AmbiguityPolicy::Pass);
    EXPECT_TRUE(budgets[1].patterns.empty());
}

TEST(BudgetReaderTest, aSpecMayHaveBudgetsOfItsOwn)
{
    const ExperimentSpec spec =
        loadSpecText("model.name = \"ffn-stack-tiny\"\n[[budget]]\nmax_peak_mib = 5\n", "spec.toml", {});
    ASSERT_EQ(spec.budgets.size(), 1u);
    EXPECT_EQ(spec.budgets[0].limits.at(0).amount, 5.0 * kMiB);
    EXPECT_EQ(spec.budgets[0].limits.at(0).where, "spec.toml:3:1: budget.max_peak_mib");
}

TEST(BudgetReaderTest, namesStandForOneBudgetEach)
{
    const auto budgets = read("[[budget]]\nname = \"a\"\nfits = true\n[[budget]]\nname = \"a\"\nfits = true\n");
    const std::string message = refusal([&] { requireDistinctNames(budgets); });
    EXPECT_THAT(message, HasSubstr("budgets.toml:4:1: budget: the name \"a\" stands for another budget"));
    EXPECT_THAT(message, HasSubstr("budgets.toml:1:1"));
}

TEST(BudgetReaderTest, aFileThatCannotBeReadIsAFileError)
{
    EXPECT_THROW(loadBudgetFile("/no/such/budgets.toml"), FileError);
    EXPECT_THROW(loadBudgetFile("/"), FileError);
}

struct Case {
    const char* name;
    const char* toml;
    const char* message;
};

void PrintTo(const Case& c, std::ostream* stream)
{
    *stream << c.name;
}

class BudgetErrorTest : public testing::TestWithParam<Case> { };

TEST_P(BudgetErrorTest, saysWhatWasFoundWhereAndWhatIsValid)
{
    EXPECT_THAT(refusal([] { read(GetParam().toml); }), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(Documents, BudgetErrorTest,
    testing::Values(
        Case{"UnknownKey", "[[budget]]\nmax_peek_gib = 1",
            "budgets.toml:2:1: budget.max_peek_gib: unknown key \"max_peek_gib\", did you mean \"max_peak_gib\"? "
            "(valid: name, model, device, label, "},
        Case{"UnknownTable", "[[budgets]]\nfits = true",
            "budgets.toml:1:3: budgets: unknown key \"budgets\" (valid: [[budget]] tables)"},
        Case{"NoLimit", "[[budget]]\nmodel = \"x\"",
            "budgets.toml:1:1: budget: no limit (valid: at least one of max_peak_gib, "},
        Case{"Empty", "", "budgets.toml: no budget (valid: [[budget]] tables)"},
        Case{"EmptyList", "budget = []", "budgets.toml: no budget"},
        Case{"NoTable", "budget = [4]", "budgets.toml:1:10: budget: found 4 (valid: [[budget]] tables)"},
        Case{"Negative", "[[budget]]\nmax_peak_gib = -1",
            "budgets.toml:2:1: budget.max_peak_gib: found -1 (valid: a number greater than 0)"},
        Case{"Zero", "[[budget]]\nmin_steps_per_second = 0.0", "found 0.0 (valid: a number greater than 0)"},
        Case{"NegativeDeviation", "[[budget]]\nmax_loss_abs_diff = -0.5", "(valid: a number of at least 0)"},
        Case{"Infinite", "[[budget]]\nmax_peak_gib = inf", "budget.max_peak_gib: found inf"},
        Case{"NotANumber", "[[budget]]\nmax_output_rel_l2 = nan", "budget.max_output_rel_l2: found nan"},
        Case{"TextForNumber", "[[budget]]\nmax_peak_gib = \"12 GiB\"", "found \"12 GiB\" (valid: a number"},
        Case{"TableForNumber", "[[budget]]\nmax_peak_gib.x = 1", "found a table (valid: a number"},
        Case{"NumberForPattern", "[[budget]]\nfits = true\nmodel = 4",
            "budgets.toml:3:1: budget.model: found 4 (valid: text in quotes)"},
        Case{"EmptyPattern", "[[budget]]\nfits = true\nmodel = \"\"", "found \"\" (valid: text in quotes)"},
        Case{"EmptyPatterns", "[[budget]]\nfits = true\ndevice = []", "found [] (valid: a pattern such as"},
        Case{"FalseFlag", "[[budget]]\nfits = false", "budget.fits: found false (valid: true, or no such key)"},
        Case{"UnknownPeak", "[[budget]]\nmax_peak_gib = 1\npeak = \"rss\"",
            "budget.peak: found \"rss\" (valid: \"allocated\", \"device\", \"reserved\")"},
        Case{"PeakWithoutLimit", "[[budget]]\nfits = true\npeak = \"device\"",
            "budget.peak: there is no peak to limit (valid: beside max_peak_gib or max_peak_mib)"},
        Case{"TwoPeaks", "[[budget]]\nmax_peak_gib = 1\nmax_peak_mib = 1", "a second limit for the same peak"},
        Case{"UnknownPolicy", "[[budget]]\nfits = true\nambiguous = \"fail\"", "(valid: \"pass\", \"unusable\")"},
        Case{"NoToml", "[[budget", "budgets.toml:1:"}),
    [](const auto& tested) { return tested.param.name; });

} // namespace
} // namespace headroom::experiments::budget_reader_test
