// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/checkpointing/Checkpointing.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

#include <random>

namespace headroom::techniques::checkpointing_test {
namespace {

const char* const kPolicies[]{"all", "every:1", "every:2", "every:3@1", "except:2", "except:1", "blocks:0-1.4",
    "skip:0.2-3", "strategy:all_but_last", "ops", "ops:mm/2", "all+offload", "ops+offload"};

config::Configuration configurationOf(
    const config::ValueMap& fields, const std::string& checkpointing, const std::string& splitFfn = "off")
{
    config::Configuration configuration = config::defaultConfiguration("ffn-stack-tiny", "");
    for (const auto& [name, value] : fields)
        configuration.modelFields[name] = value;
    for (const auto& [key, notation] : {std::pair{"checkpointing", checkpointing}, {"split_ffn", splitFfn}})
        configuration.techniques[key] = config::makeSetting(config::findTechnique(key, ""), notation, {}, key);
    return configuration;
}

/// What a step leaves: output, gradients of the parameters, and what the generator draws next.
struct StepResult {
    std::vector<at::Tensor> tensors;
    std::map<std::string, Counters> counters;
};

StepResult stepOf(const config::Configuration& configuration, c10::ScalarType type, int microSteps = 1)
{
    at::manual_seed(5);
    const auto model = models::buildModel(configuration, onTestDevice(type));
    TechniqueStack stack(configuration);
    stack.apply(*model);
    stack.hooks().beginStep();
    const auto inputs = models::makeInputs(configuration, onTestDevice(type));
    StepResult result;
    for (int step = 0; step < microSteps; ++step) {
        const at::Tensor output = model->forward(inputs);
        output.square().mean().backward();
        result.tensors.push_back(output.detach());
    }
    for (const at::Tensor& parameter : model->parameters())
        result.tensors.push_back(parameter.grad());
    result.tensors.push_back(at::randn({4}, onTestDevice()));
    result.counters = stack.counters();
    return result;
}

void expectBitEqual(const StepResult& result, const StepResult& expected, const std::string& name)
{
    ASSERT_EQ(result.tensors.size(), expected.tensors.size());
    for (std::size_t i = 0; i < expected.tensors.size(); ++i)
        EXPECT_TRUE(sameNumbers(result.tensors[i], expected.tensors[i])) << name << ", tensor " << i;
}

std::int64_t counter(const StepResult& result, const char* name)
{
    return result.counters.at("checkpointing").at(name);
}

TEST(CheckpointingTest, gradientsAreBitEqualUnderEveryPolicyAndDtype)
{
    for (const char* activation : {"gelu", "geglu", "swiglu"})
        for (const c10::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16}) {
            const config::ValueMap fields{{"num_layers", 5}, {"activation_fn", activation}, {"dropout", 0.25}};
            const StepResult plain = stepOf(configurationOf(fields, "none"), type);
            for (const char* policy : kPolicies)
                expectBitEqual(stepOf(configurationOf(fields, policy), type), plain,
                    std::string(activation) + " " + policy + " " + c10::toString(type));
        }
}

TEST(CheckpointingTest, gradientsAreBitEqualForRandomShapes)
{
    std::mt19937 random(7);
    const auto between = [&](int least, int most) { return least + static_cast<int>(random() % (most - least + 1)); };
    for (int i = 0; i < 20; ++i) {
        const config::ValueMap fields{{"num_layers", between(5, 9)}, {"dim", between(1, 40)},
            {"dim_out", between(1, 9)}, {"mult", between(1, 5)}, {"bias", between(0, 1) == 1},
            {"dropout", 0.1 * between(0, 5)}};
        const char* policy = kPolicies[random() % std::size(kPolicies)];
        expectBitEqual(stepOf(configurationOf(fields, policy), at::kFloat),
            stepOf(configurationOf(fields, "none"), at::kFloat), policy);
    }
}

TEST(CheckpointingTest, blocksAreRecomputedAsThePolicySays)
{
    const std::map<std::string, std::int64_t> expected{{"none", 0}, {"all", 5}, {"every:1", 5}, {"every:2", 3},
        {"every:2@1", 2}, {"every:5", 1}, {"except:1", 0}, {"except:2", 2}, {"blocks:0-1.4", 3}, {"skip:0.2-3", 2},
        {"strategy:all_but_last", 4}};
    for (const auto& [policy, blocks] : expected) {
        const StepResult result = stepOf(configurationOf({{"num_layers", 5}}, policy), at::kFloat);
        EXPECT_EQ(counter(result, "blocks_checkpointed"), blocks) << policy;
        EXPECT_EQ(counter(result, "blocks_recomputed"), blocks) << policy;
        EXPECT_EQ(counter(result, "ops_recomputed"), 0);
        EXPECT_EQ(counter(result, "bytes_to_host"), 0);
    }
}

// A slice's input is a saved tensor of its block: the block's repetition gives it, then the slice's own runs.
TEST(CheckpointingTest, composesWithSplitLayers)
{
    const config::ValueMap fields{{"num_layers", 4}, {"dropout", 0.25}, {"activation_fn", "swiglu"}};
    for (const char* splitFfn : {"4", "tokens:4", "4:recompute", "1:recompute"}) {
        const StepResult plain = stepOf(configurationOf(fields, "none", splitFfn), at::kFloat);
        for (const char* policy : {"all", "every:2", "blocks:3", "ops", "ops:mm/2", "all+offload"})
            expectBitEqual(stepOf(configurationOf(fields, policy, splitFfn), at::kFloat), plain,
                std::string(policy) + " " + splitFfn);
    }
}

TEST(CheckpointingTest, slicesOfARecomputedBlockCountAsRecomputed)
{
    const auto slices = [](const char* policy, const char* splitFfn) {
        const Counters counters =
            stepOf(configurationOf({{"num_layers", 3}}, policy, splitFfn), at::kFloat).counters.at("split_ffn");
        return std::pair{counters.at("slices_run"), counters.at("slices_recomputed")};
    };
    EXPECT_EQ(slices("none", "4"), std::pair(12L, 0L));
    EXPECT_EQ(slices("all", "4"), std::pair(12L, 12L));
    EXPECT_EQ(slices("none", "4:recompute"), std::pair(12L, 12L));
    // The block's repetition ends where its last slice keeps its input, before that slice's own ops; then each slice
    // runs again by itself.
    EXPECT_EQ(slices("all", "4:recompute"), std::pair(12L, 24L));
}

TEST(CheckpointingTest, microStepsAddUp)
{
    const config::ValueMap fields{{"num_layers", 4}, {"dropout", 0.5}};
    const StepResult result = stepOf(configurationOf(fields, "every:2"), at::kFloat, 3);
    EXPECT_EQ(counter(result, "blocks_checkpointed"), 6);
    EXPECT_EQ(counter(result, "blocks_recomputed"), 6);
    expectBitEqual(result, stepOf(configurationOf(fields, "none"), at::kFloat, 3), "three micro-steps");
}

/// A model whose block forwards are watched: which blocks run, in order.
class WatchedModel final : public models::Model {
public:
    at::Tensor forward(const models::Inputs& inputs) override
    {
        at::Tensor hidden = inputs.at("x");
        for (std::int64_t index = 0; index < blockCount(); ++index)
            hidden = runBlock(index,
                [this, index](const auto& in) {
                    runs.push_back(index);
                    return std::vector<at::Tensor>{at::silu(in[0]) * weight};
                },
                {hidden})[0];
        return hidden;
    }
    std::vector<models::FeedForward*> feedForwards() override { return {}; }
    std::int64_t blockCount() override { return 6; }

    at::Tensor weight = at::randn({3}, onTestDevice()).requires_grad_();
    std::vector<std::int64_t> runs;
};

TEST(CheckpointingTest, theDecisionIsByTheBlocksNumberInEveryStep)
{
    WatchedModel model;
    Checkpointing technique({"every:4@1", {}});
    const StepHooks hooks = technique.apply(model);
    for (int step = 0; step < 3; ++step) {
        model.runs.clear();
        hooks.beginStep();
        model.forward({{"x", at::randn({2, 3}, onTestDevice())}}).sum().backward();
        EXPECT_THAT(model.runs, testing::ElementsAre(0, 1, 2, 3, 4, 5, 5, 1));
    }
}

// A forward that is given up leaves nothing for the next one to trip over.
TEST(CheckpointingTest, aForwardWithoutBackwardCountsNoRecomputation)
{
    WatchedModel model;
    Checkpointing technique({"all", {}});
    const StepHooks hooks = technique.apply(model);
    model.forward({{"x", at::randn({2, 3}, onTestDevice())}});
    EXPECT_EQ(technique.counters().at("blocks_checkpointed"), 6);
    EXPECT_EQ(technique.counters().at("blocks_recomputed"), 0);
    hooks.beginStep();
    EXPECT_EQ(technique.counters().at("blocks_checkpointed"), 0);
}

TEST(CheckpointingTest, withoutGradientsBlocksRunPlainly)
{
    WatchedModel model;
    Checkpointing technique({"all", {}});
    technique.apply(model);
    const torch::NoGradGuard noGradients;
    model.forward({{"x", at::randn({2, 3}, onTestDevice())}});
    EXPECT_EQ(technique.counters().at("blocks_checkpointed"), 0);
}

TEST(CheckpointingTest, aModelThatIsFrozenButForOneBlockStillLearns)
{
    const auto gradientOfMiddle = [](const char* policy) {
        const config::Configuration configuration = configurationOf({{"num_layers", 5}}, policy);
        at::manual_seed(3);
        const auto model = models::buildModel(configuration, onTestDevice(at::kDouble));
        for (at::Tensor parameter : model->parameters())
            parameter.requires_grad_(false);
        at::Tensor middle = *model->named_parameters().find("layers.2.net.2.weight");
        middle.requires_grad_(true);
        TechniqueStack stack(configuration);
        stack.apply(*model);
        model->forward(models::makeInputs(configuration, onTestDevice(at::kDouble))).square().mean().backward();
        return middle.grad();
    };
    EXPECT_TRUE(sameNumbers(gradientOfMiddle("all"), gradientOfMiddle("none")));
}

TEST(CheckpointingTest, saysWhatItReallyDoes)
{
    const auto effective = [](const char* policy) {
        WatchedModel model;
        Checkpointing technique({policy, {}});
        technique.apply(model);
        return technique.effective();
    };
    EXPECT_EQ(effective("none"), "none");
    EXPECT_EQ(effective("every:4"), "2 of 6 blocks checkpointed");
    EXPECT_EQ(effective("except:1"), "0 of 6 blocks checkpointed");
}

} // namespace
} // namespace headroom::techniques::checkpointing_test
