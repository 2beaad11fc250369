// SPDX-License-Identifier: Apache-2.0
//
// On CUDA the repetition runs on the engine's device thread: gradients, random numbers, autocast and stream are its
// own.
#include "core/base/Error.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "profiling/collectors/cuda/CudaInstruments.h"
#include "profiling/collectors/cuda/CudaRuntime.h"
#include "tests/core/recompute/CheckpointedForward.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/support/torch/TestDevice.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

const at::TensorOptions kFloatOnCuda = at::TensorOptions().device(at::kCUDA).dtype(at::kFloat);

class CudaCheckpointingTest : public testing::Test {
protected:
    void SetUp() override
    {
        const std::string reason = cudaAvailability().reason;
        if (!reason.empty())
            GTEST_SKIP() << reason;
        tensor::prepareSavedTensorHooks(); // as trials do: a second engine has threads and workspaces of its own
        openCudaDevice(0);
    }

    static config::Trial trial(const std::string& policy, const std::string& splitFfn = "off", double dropout = 0)
    {
        config::Trial result =
            trialOf("cuda:0", {{"num_layers", 5}, {"dim", 256}, {"activation_fn", "geglu"}, {"dropout", dropout}},
                {{"step", "forward_backward"}, {"batch", 2}, {"sequence_length", 512}});
        split(result, splitFfn);
        checkpoint(result, policy);
        return result;
    }

    /// Gradients of a step, and what the device's generator draws next.
    static std::vector<at::Tensor> stepOf(const config::Trial& trial, c10::ScalarType type)
    {
        const auto options = kFloatOnCuda.dtype(type);
        at::manual_seed(5);
        const auto model = models::buildModel(trial.configuration, options);
        techniques::TechniqueStack stack(trial.configuration);
        stack.apply(*model);
        model->forward(models::makeInputs(trial.configuration, options)).square().mean().backward();
        std::vector<at::Tensor> result;
        for (const at::Tensor& parameter : model->parameters())
            result.push_back(parameter.grad());
        result.push_back(at::randn({8}, options));
        return result;
    }
};

TEST_F(CudaCheckpointingTest, gradientsAreBitEqualWithDropout)
{
    requireValues();
    for (const c10::ScalarType type : {at::kFloat, at::kBFloat16}) {
        const auto plain = stepOf(trial("none", "off", 0.25), type);
        for (const char* policy : {"all", "every:2", "strategy:all_but_last"}) {
            const auto found = stepOf(trial(policy, "off", 0.25), type);
            for (std::size_t i = 0; i < plain.size(); ++i)
                EXPECT_TRUE(at::equal(found[i], plain[i])) << policy << ", tensor " << i;
        }
    }
}

TEST_F(CudaCheckpointingTest, recomputedSlicesAreBitEqualToSavedOnes)
{
    requireValues();
    const auto saved = stepOf(trial("none", "4"), at::kFloat);
    for (const char* policy : {"none", "all"}) {
        const auto found = stepOf(trial(policy, "4:recompute"), at::kFloat);
        for (std::size_t i = 0; i < saved.size(); ++i)
            EXPECT_TRUE(at::equal(found[i], saved[i])) << policy << ", tensor " << i;
    }
}

TEST_F(CudaCheckpointingTest, theRepetitionRunsOnTheStreamOfTheForward)
{
    const c10::impl::VirtualGuardImpl device(at::kCUDA);
    const c10::Stream side = device.getStreamFromGlobalPool({at::kCUDA, 0}, false);
    std::vector<c10::Stream> streams;
    const at::Tensor input = at::randn({64, 64}, kFloatOnCuda).requires_grad_();
    device.synchronizeDevice(0);
    const tensor::Forward forward = [&](const std::vector<at::Tensor>& in) {
        streams.push_back(device.getStream({at::kCUDA, 0}));
        return at::gelu(at::mm(in[0], in[0]));
    };
    at::Tensor loss;
    {
        const c10::StreamGuard guard(side);
        loss = tensor::checkpointed(forward, {input}).sum();
    }
    device.synchronizeDevice(0);
    loss.backward();
    ASSERT_EQ(streams.size(), 2U);
    EXPECT_EQ(streams[0], side);
    EXPECT_EQ(streams[1], side);
}

TEST_F(CudaCheckpointingTest, anErrorOnTheDeviceThreadReachesTheCallerWithItsType)
{
    int runs = 0;
    const tensor::Forward forward = [&](const std::vector<at::Tensor>& in) {
        return runs++ == 0 ? at::gelu(in[0]) : at::gelu(in[0].sum());
    };
    const at::Tensor loss = tensor::checkpointed(forward, {at::randn({64}, kFloatOnCuda).requires_grad_()}).sum();
    EXPECT_THROW(loss.backward(), TrialError);
}

TEST_F(CudaCheckpointingTest, checkpointingSavesWhatTheBlocksSave)
{
    SilentListener listener;
    const auto resultOf = [&](const char* policy) {
        const config::Trial tried = trial(policy);
        CudaInstruments instruments(0, tried.memoryLimitBytes);
        return TrialMeasurement(tried, instruments, listener).run();
    };
    const protocol::RepeatResult none = resultOf("none"), all = resultOf("all");
    ASSERT_EQ(all.outcome, Outcome::Completed) << all.reason;
    EXPECT_EQ(all.engagement.at("checkpointing").at("blocks_recomputed"), 5);
    EXPECT_LT(*all.memory.peak.allocated, *none.memory.peak.allocated);
    EXPECT_LT(*all.memory.savedForBackward, *none.memory.savedForBackward);
}

} // namespace
} // namespace headroom::collectors
