// SPDX-License-Identifier: Apache-2.0
//
// Models that were exported from Python: measured against simulated.
#include "core/config/catalogue/ImportedModels.h"
#include "tests/profiling/comparisons/TechniqueComparison.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gmock/gmock.h>

namespace headroom::collectors::imported_comparison_test {
namespace {

std::string importedModel(const std::string& name)
{
    return config::importModel(checkout("tests/reference/imported/" + name + ".pt2"));
}

TEST(ImportedComparisonTest, simulatedPeaksAreTheMeasuredOnes)
{
    for (const char* name : {"llama", "ltx-video", "gpt2"})
        for (const Notations& techniques : {Notations{}, Notations{{"checkpointing", "all"}},
                 Notations{{"checkpointing", "ops"}}, Notations{{"optimizer", "adamw"}}}) {
            const config::Configuration configuration = configurationOf(
                importedModel(name), techniques, {}, {{"step", "forward_backward"}, {"dtype", "float32"}});
            const ComparedCombination compared = compareCombination(configuration);
            ASSERT_GT(compared.measuredBytes, 0) << name << ", " << compared.techniques << compared.reason;
            EXPECT_LT(std::abs(compared.relativeDifference()), 0.002) << name << ", " << compared.techniques;
        }
}

} // namespace
} // namespace headroom::collectors::imported_comparison_test
