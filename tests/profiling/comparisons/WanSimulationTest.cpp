// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/WanFamily.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

config::Trial wanTrial(const std::string& model, const std::string& device, config::ValueMap workload = {},
    const config::ValueMap& fields = {})
{
    workload.insert({{"step", "inference"}, {"dtype", "bfloat16"}});
    return trialOfModel(model, device, fields, workload);
}

TEST(WanSimulationTest, fullSizeInferenceIsSimulated)
{
    for (const char* model : {"wan-2.1-1.3b", "wan-2.1-14b"}) {
        const config::Trial trial = wanTrial(model, "sim:h100-80gb");
        const protocol::RepeatResult result = measured(trial);
        ASSERT_EQ(result.outcome, Outcome::Completed) << model << ": " << result.reason;
        EXPECT_GT(*result.memory.peak.allocated, *result.weightBytes);
        EXPECT_GT(result.stepSeconds.at(0), 0.1);
    }
}

// In bfloat16: two bytes for each parameter, four for what stays in float32.
TEST(WanSimulationTest, weightBytesCountWhatStaysInFloat32)
{
    for (const bool kept : {true, false}) {
        const config::ValueMap fields{{"num_layers", 2}, {"keep_in_fp32_modules", kept}};
        const config::Trial trial = wanTrial("wan-2.1-1.3b", "sim:h100-80gb", {{"frames", 5}}, fields);
        const protocol::RepeatResult result = measured(trial);
        const auto& all = trial.configuration.modelFields;
        EXPECT_EQ(result.weightBytes, 2 * *result.parameters + 2 * config::wanParametersInFloat32(all));
        EXPECT_EQ(config::wanParametersInFloat32(all) > 0, kept);
    }
}

TEST(WanSimulationTest, everyShippedDeviceRunsIt)
{
    for (const simulator::DeviceProfile& device : profiles().devices())
        for (const char* dtype : {"float32", "bfloat16", "float16"}) {
            config::Trial trial = wanTrial("wan-tiny", "sim:" + device.name, {{"step", "train"}, {"dtype", dtype}});
            checkpoint(trial, "every:2");
            const protocol::RepeatResult result = measured(trial);
            EXPECT_EQ(result.outcome, Outcome::Completed) << device.name << " " << dtype << result.reason;
        }
}

} // namespace
} // namespace headroom::collectors
