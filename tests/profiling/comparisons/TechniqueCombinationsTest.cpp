// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Catalogue.h"
#include "tests/core/config/TinyModels.h"
#include "tests/profiling/comparisons/TechniqueComparison.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/support/torch/TestDevice.h"

#include <gmock/gmock.h>

namespace headroom::collectors {
namespace {

constexpr unsigned kSeed = 77;

config::Trial trialOfConfiguration(const config::Configuration& configuration, const std::string& device)
{
    config::Trial trial = trialOfModel(configuration.model, device, {}, {});
    trial.configuration = configuration;
    return trial;
}

// What a trial's first step may differ by from its baseline's. Weights in eight bits are others; everything else adds
// the same numbers, in other orders here and there.
double tolerance(const config::Configuration& configuration)
{
    if (configuration.techniques.at("casting").notation != "off")
        return 0.5;
    return configuration.workload.dtype == config::Dtype::Float32 ? 1e-4 : 0.1;
}

void expectToRun(const config::Configuration& configuration)
{
    const std::string name = configuration.model + ", " + config::toText(configuration.workload.step) + ", "
        + config::toText(configuration.workload.dtype) + ": " + config::techniqueLabel(configuration);
    const protocol::RepeatResult real = measured(trialOfConfiguration(configuration, testDeviceName()));
    ASSERT_EQ(real.outcome, Outcome::Completed) << name << ": " << real.reason;
    for (const std::string& diagnostic : real.diagnostics)
        ADD_FAILURE() << name << ": " << diagnostic;
    if (!config::isBaseline(configuration)) {
        ASSERT_TRUE(real.numerics) << name;
        EXPECT_LE(real.numerics->outputRelL2.value_or(1), tolerance(configuration)) << name;
    }
    const protocol::RepeatResult simulated = measured(trialOfConfiguration(configuration, "sim:rtx4090"));
    EXPECT_EQ(simulated.outcome, Outcome::Completed) << name << ": " << simulated.reason;
    EXPECT_THAT(simulated.opsWithoutRule, testing::IsEmpty()) << name;
}

TEST(TechniqueCombinationsTest, allPairsThatAreNotRefusedRunOnEveryModel)
{
    requireValues();
    CombinationDraw draw(kSeed);
    const std::vector<std::string> keys = config::techniqueKeys();
    std::vector<std::string> refused;
    for (const std::string& model : tinyModels())
        for (std::size_t i = 0; i < keys.size(); ++i)
            for (std::size_t j = i + 1; j < keys.size(); ++j)
                if (const auto configuration = draw.nextWith({keys[i], keys[j]}, model))
                    expectToRun(*configuration);
                else
                    refused.push_back(model + ": " + keys[i] + ", " + keys[j]);
    // That model has no attention. Everything else goes together.
    ASSERT_EQ(refused.size(), keys.size() - 1);
    for (const std::string& pair : refused)
        EXPECT_THAT(pair, testing::AllOf(testing::StartsWith("ffn-stack"), testing::HasSubstr("attention")));
}

TEST(TechniqueCombinationsTest, randomLargerSubsetsRun)
{
    requireValues();
    CombinationDraw draw(kSeed + 1);
    for (int i = 0; i < 30; ++i)
        expectToRun(draw.next());
}

} // namespace
} // namespace headroom::collectors
