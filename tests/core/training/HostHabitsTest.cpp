// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/InputTransfer.h"
#include "core/techniques/LossReadback.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/training/StepRunner.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/Comparison.h"
#include "tests/support/torch/SilentObserver.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::training::host_habits_test {
namespace {

config::Configuration stepWith(const std::string& model, const std::string& key, const std::string& notation)
{
    config::Configuration configuration = configurationOf(model, {{key, notation}});
    configuration.workload.step = config::StepKind::ForwardBackward;
    configuration.workload.accumulate = 3;
    return configuration;
}

struct StepResult {
    StepOutput output;
    std::vector<at::Tensor> gradients;
    techniques::Counters counters;
    models::Inputs held;
};

StepResult stepOf(const config::Configuration& configuration, const std::string& key)
{
    at::manual_seed(11);
    const auto model = models::buildModel(configuration, onTestDevice(at::kFloat));
    techniques::TechniqueStack stack(configuration);
    stack.apply(*model);
    SilentObserver observer;
    config::Workload workload = configuration.workload;
    workload.output = config::ModelOutput::Held;
    StepRunner runner(
        *model, stack.hooks(), workload, models::makeInputs(configuration, onTestDevice(at::kFloat)), observer);
    StepResult result;
    result.output = runner.run(0);
    for (const at::Tensor& parameter : runner.parameters())
        result.gradients.push_back(parameter.grad());
    result.counters = stack.counters().at(key);
    result.held = runner.inputs();
    return result;
}

TEST(LossReadingTest, theHostReadsAsOftenAsIsSaid)
{
    for (const auto& [notation, reads] : {std::pair{"never", 0}, {"per_update", 1}, {"every_step", 3}})
        EXPECT_EQ(
            stepOf(stepWith("ffn-stack-tiny", "loss_readback", notation), "loss_readback").counters.at("reads"), reads)
            << notation;
}

TEST(LossReadingTest, itReadsTheLoss)
{
    requireValues();
    const auto model = models::buildModel(config::defaultConfiguration("ffn-stack-tiny", ""), onTestDevice(at::kFloat));
    techniques::LossReadback everyStep(config::TechniqueSetting{"every_step", {}});
    techniques::StepHookLists hooks;
    hooks.append("loss_readback", everyStep.apply(*model));
    EXPECT_FALSE(everyStep.lastLoss());
    hooks.microStepDone(at::full({}, 0.5, onTestDevice()));
    EXPECT_EQ(everyStep.lastLoss(), 0.5);
    hooks.updateDone(at::full({}, 2.0, onTestDevice()));
    EXPECT_EQ(everyStep.lastLoss(), 0.5);
    techniques::LossReadback perUpdate(config::TechniqueSetting{"per_update", {}});
    hooks = {};
    hooks.append("loss_readback", perUpdate.apply(*model));
    hooks.microStepDone(at::full({}, 0.5, onTestDevice()));
    EXPECT_FALSE(perUpdate.lastLoss());
    hooks.updateDone(at::full({}, 2.0, onTestDevice()));
    EXPECT_EQ(perUpdate.lastLoss(), 2.0);
    hooks.updateDone(at::empty({}, at::kMeta));
    EXPECT_TRUE(std::isnan(perUpdate.lastLoss().value()));
}

TEST(BatchTransferTest, resultsAreBitEqualWhereverTheBatchRests)
{
    requireValues();
    const StepResult resident = stepOf(stepWith("ltx-video-tiny", "input_transfer", "resident"), "input_transfer");
    EXPECT_EQ(resident.counters.at("bytes_to_device"), 0);
    for (const char* notation : {"pageable", "pinned"}) {
        const StepResult moved = stepOf(stepWith("ltx-video-tiny", "input_transfer", notation), "input_transfer");
        EXPECT_TRUE(sameNumbers(moved.output.output, resident.output.output)) << notation;
        ASSERT_EQ(moved.gradients.size(), resident.gradients.size());
        for (std::size_t i = 0; i < moved.gradients.size(); ++i)
            EXPECT_TRUE(sameNumbers(moved.gradients[i], resident.gradients[i])) << notation << ' ' << i;
    }
}

TEST(BatchTransferTest, everyMicroStepCopiesTheBatchButNotWhatTheHostReads)
{
    requireValues();
    const StepResult moved = stepOf(stepWith("ltx-video-tiny", "input_transfer", "pinned"), "input_transfer");
    std::int64_t bytes = 0;
    for (const char* name : {"hidden_states", "encoder_hidden_states", "encoder_attention_mask", "timestep"})
        bytes += static_cast<std::int64_t>(moved.held.at(name).nbytes());
    EXPECT_GT(bytes, 0);
    EXPECT_EQ(moved.counters.at("bytes_to_device"), 3 * bytes);
}

} // namespace
} // namespace headroom::training::host_habits_test
