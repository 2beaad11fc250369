// SPDX-License-Identifier: Apache-2.0
//
// Which kernel attention takes: what LibTorch chooses on the test device, and what the profile's rule says of the
// simulated one. On a GPU of another generation than HEADROOM_TEST_AGAINST (default sim:h200) name one of its own.
#include "core/techniques/stack/TechniqueStack.h"
#include "profiling/kernels/KernelRules.h"
#include "tests/core/config/TinyModels.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/support/torch/TestDevice.h"

#include <gtest/gtest.h>

namespace headroom::collectors::attention_backends_test {
namespace {

enum class Mask { None, Boolean, Additive, Trained };

/// One call of attention with 3 heads of 40 queries.
struct Call {
    c10::ScalarType type = at::kFloat;
    std::int64_t headDim = 64;
    std::int64_t keys = 40;
    Mask mask = Mask::None;
    bool isTrained = false;
    bool isCausal = false;
    double dropout = 0;

    std::string text() const
    {
        const char* const masks[]{"no mask", "boolean mask", "additive mask", "trained mask"};
        return std::string(c10::toString(type)) + ", head dim " + std::to_string(headDim) + ", " + std::to_string(keys)
            + " keys, " + masks[static_cast<int>(mask)] + (isTrained ? ", trained" : "") + (isCausal ? ", causal" : "")
            + (dropout > 0 ? ", dropout" : "");
    }
};

std::optional<at::Tensor> maskOf(const Call& call, c10::Device device)
{
    const auto options = at::TensorOptions().device(device);
    const std::vector<std::int64_t> shape{2, 1, 40, call.keys};
    switch (call.mask) {
    case Mask::None:
        return std::nullopt;
    case Mask::Boolean:
        return at::ones(shape, options.dtype(at::kBool));
    case Mask::Additive:
        return at::zeros(shape, options.dtype(call.type));
    case Mask::Trained:
        return at::zeros(shape, options.dtype(call.type)).requires_grad_();
    }
    return std::nullopt;
}

at::SDPBackend chosenOn(c10::Device device, const Call& call)
{
    const auto rows = [&](std::int64_t count) {
        return at::zeros({2, 3, count, call.headDim}, at::TensorOptions().device(device).dtype(call.type))
            .requires_grad_(call.isTrained);
    };
    return static_cast<at::SDPBackend>(at::_fused_sdp_choice(
        rows(40), rows(call.keys), rows(call.keys), maskOf(call, device), call.dropout, call.isCausal, std::nullopt));
}

std::vector<Call> calls()
{
    std::vector<Call> result;
    for (const c10::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf, at::kDouble})
        for (const std::int64_t headDim : {4, 20, 64, 72, 96, 128, 192, 256, 264})
            for (const Mask mask : {Mask::None, Mask::Boolean, Mask::Additive, Mask::Trained})
                for (const bool isTrained : {false, true}) {
                    result.push_back({type, headDim, 40, mask, isTrained});
                    result.push_back({type, headDim, 48, mask, isTrained});
                    result.push_back({type, headDim, 40, mask, isTrained, false, 0.1});
                    if (mask == Mask::None)
                        result.push_back({type, headDim, 40, mask, isTrained, true});
                }
    return result;
}

simulator::SimulatedDevice simulatedDevice()
{
    return profiles().parseSimulatedDevice(simulatedDeviceName());
}

TEST(AttentionBackendsTest, theRuleOfTheProfileIsLibTorchsChoiceOnTheDevice)
{
    requireValues();
    registerMetaKernels();
    const KernelRules rules(simulatedDevice());
    const KernelRules::Scope scope(rules);
    for (const Call& call : calls())
        EXPECT_EQ(static_cast<int>(chosenOn(c10::kMeta, call)), static_cast<int>(chosenOn(testDevice(), call)))
            << call.text();
}

techniques::Counters callsIn(const std::string& device, config::Configuration configuration, const char* wanted)
{
    config::Trial trial = trialOfModel(configuration.model, device, {}, {});
    choose(configuration, "attention", wanted);
    trial.configuration = configuration;
    const protocol::RepeatResult result = measured(trial);
    EXPECT_EQ(result.outcome, Outcome::Completed) << result.reason;
    return result.engagement.at("attention");
}

// What is asked for where it can, and what auto takes elsewhere: measured and simulated steps count the same calls.
TEST(AttentionBackendsTest, countersOfWholeStepsAreThoseOfTheSimulation)
{
    requireValues();
    for (const std::string& model : tinyModels()) {
        if (!config::findModel(model, "").family->hasAttention)
            continue;
        for (const char* dtype : {"float32", "bfloat16"})
            for (const char* wanted : {"auto", "math", "flash", "efficient", "cudnn"}) {
                const config::Configuration configuration =
                    configurationOf(model, {}, {}, {{"step", "forward_backward"}, {"dtype", dtype}});
                EXPECT_EQ(callsIn(testDeviceName(), configuration, wanted),
                    callsIn(simulatedDeviceName(), configuration, wanted))
                    << model << ' ' << dtype << ' ' << wanted;
            }
    }
}

} // namespace
} // namespace headroom::collectors::attention_backends_test
