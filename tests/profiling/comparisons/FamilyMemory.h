// SPDX-License-Identifier: Apache-2.0
//
// What every family of models is held to: peaks on sim:cpu are those measured on cpu, counted arithmetic is the
// catalogue's closed form.
#pragma once

#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "profiling/collectors/simulated/OpCostCollector.h"
#include "tests/profiling/comparisons/TechniqueComparison.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/support/Configurations.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>

namespace headroom::collectors {

inline config::Trial techniqueTrial(const std::string& device, const std::string& model, const Notations& techniques,
    const config::ValueMap& workload, const config::ValueMap& fields = {})
{
    config::Trial trial = trialOfModel(model, device, fields, workload);
    for (const auto& [key, notation] : techniques)
        choose(trial.configuration, key, notation);
    return trial;
}

/// Equal but for 128 bytes: on the CPU Flux's single blocks are seen to hold as much less in some runs than in others
/// of the same program.
inline void expectSamePeaks(const std::string& model, const Notations& techniques, const config::ValueMap& workload,
    const config::ValueMap& fields)
{
    const auto trialOn = [&](const char* device) {
        return techniqueTrial(device, model, techniques, workload, fields);
    };
    const protocol::RepeatResult real = measured(trialOn("cpu")), simulated = measured(trialOn("sim:cpu"));
    const config::Configuration configuration = trialOn("cpu").configuration;
    const std::string name = model + ", " + config::toText(configuration.workload.step) + ", "
        + config::toText(configuration.workload.dtype) + ": " + config::techniqueLabel(configuration);
    ASSERT_EQ(real.outcome, Outcome::Completed) << name << ": " << real.reason;
    ASSERT_EQ(simulated.outcome, Outcome::Completed) << name << ": " << simulated.reason;
    constexpr Bytes kSometimes = 128;
    EXPECT_LE(std::abs(simulated.memory.peak.allocated.value() - real.memory.peak.allocated.value()), kSometimes)
        << name;
    EXPECT_EQ(simulated.memory.savedForBackward, real.memory.savedForBackward) << name;
    EXPECT_EQ(simulated.weightBytes, real.weightBytes) << name;
}

/// Of every technique a few ways, in every kind of step.
inline void expectEveryTechniqueSimulated(const std::string& model, unsigned seed)
{
    CombinationDraw draw(seed);
    for (const std::string& key : config::techniqueKeys())
        for (int i = 0; i < 4; ++i) {
            const auto configuration = draw.nextWith({key}, model);
            ASSERT_TRUE(configuration) << key;
            const ComparedCombination compared = compareCombination(*configuration);
            const std::string name = compared.workload + ": " + compared.techniques + " " + compared.reason;
            ASSERT_GT(compared.measuredBytes, 0) << name;
            ASSERT_GT(compared.simulatedBytes, 0) << name;
            EXPECT_LE(std::abs(compared.relativeDifference()), 0.005) << name;
            EXPECT_EQ(compared.simulatedHostBytes, compared.measuredHostBytes) << name;
        }
}

inline double countedFlops(const std::function<void()>& program)
{
    double flops = 0;
    OpCostCollector collector([&](const simulator::OpCost& cost) { flops += cost.flops; });
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(collector);
    const tensor::OpInterceptor::Scope scope(interceptor);
    program();
    return flops;
}

/// At the default shapes. Attention runs op by op, which forms each product once in the forward pass and two for it in
/// the backward pass.
inline void expectCountedFlops(const std::string& model, const config::ValueMap& fields = {})
{
    const config::Configuration configuration = configurationOf(model, {}, fields);
    const auto options = at::TensorOptions(at::kMeta).dtype(at::kFloat);
    const auto built = models::buildModel(configuration, options);
    const models::Inputs inputs = models::makeInputs(configuration, options);
    const auto closedForm = [&](config::StepKind step) {
        return config::findModel(model, "").family->flopsPerStep(
            configuration.modelFields, configuration.workload.shapes, step);
    };
    const double forward = countedFlops([&] {
        const torch::NoGradGuard noGradients;
        built->forward(inputs);
    });
    EXPECT_EQ(forward, closedForm(config::StepKind::Inference)) << model;
    EXPECT_EQ(
        countedFlops([&] { built->forward(inputs).mean().backward(); }), closedForm(config::StepKind::ForwardBackward))
        << model;
}

/// Inference at full size, in bfloat16.
inline void expectToRunAtFullSize(const std::string& model, Bytes weightBytes)
{
    for (const char* device : {"sim:h100-80gb", "sim:h200@torch-2.5"}) {
        const protocol::RepeatResult result =
            measured(techniqueTrial(device, model, {}, {{"step", "inference"}, {"dtype", "bfloat16"}}));
        ASSERT_EQ(result.outcome, Outcome::Completed) << model << ", " << device << ": " << result.reason;
        EXPECT_EQ(result.weightBytes, weightBytes) << model;
        EXPECT_TRUE(result.diagnostics.empty()) << model << ": " << result.diagnostics.front();
        EXPECT_GT(result.stepSeconds.at(0), 0) << model;
    }
}

} // namespace headroom::collectors
