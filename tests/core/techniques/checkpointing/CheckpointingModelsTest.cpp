// SPDX-License-Identifier: Apache-2.0
//
// Every form of checkpointing on the models: outputs, gradients of inputs and parameters, and the random numbers drawn
// afterwards are the plain ones bit by bit. On the CPU a repeated op gives the same bits: nothing else would do.
#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <ATen/autocast_mode.h>
#include <gmock/gmock.h>

#include <random>

namespace headroom::techniques::checkpointing_models_test {
namespace {

using testing::HasSubstr;

const char* const kNotations[]{"all", "all+offload", "every:2+offload", "except:2+offload", "blocks:1+offload",
    "strategy:all_but_last+offload", "ops", "ops:mm/2", "ops:mm/3", "ops+offload", "ops:mm/2+offload",
    "ops:calls/1:3-5", "blocks:0=all.1=ops", "blocks:1=ops:calls/0:2+offload", "budget:1GiB"};

struct Arrangement {
    std::string model = "ltx-video-tiny";
    config::ValueMap fields{};
    std::string checkpointing = "none";
    config::ValueMap options{};
    std::string splitFfn = "off";
    c10::ScalarType dtype = at::kFloat;
    bool autocast = false;

    config::Configuration configuration() const
    {
        config::Configuration result = config::defaultConfiguration(model, "");
        for (const auto& [name, value] : fields)
            result.modelFields[name] = value;
        const auto set = [&](const char* key, const std::string& notation, const config::ValueMap& values) {
            result.techniques[key] = config::makeSetting(config::findTechnique(key, ""), notation, values, key);
        };
        set("checkpointing", checkpointing, options);
        set("split_ffn", splitFfn, {});
        return result;
    }
};

/// LibTorch's autocast on the test device as long as it lives, where it is wanted.
class Autocast {
public:
    explicit Autocast(bool isWanted)
        : m_isWanted(isWanted)
    {
        if (!isWanted)
            return;
        at::autocast::set_autocast_enabled(testDevice().type(), true);
        at::autocast::set_autocast_dtype(testDevice().type(), at::kBFloat16);
    }
    ~Autocast()
    {
        if (!m_isWanted)
            return;
        at::autocast::set_autocast_enabled(testDevice().type(), false);
        at::autocast::clear_cache();
    }
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

private:
    bool m_isWanted;
};

struct StepResult {
    std::vector<at::Tensor> tensors;
    Counters counters;
    std::string effective;
};

StepResult stepOf(const Arrangement& setup, int backwards = 1)
{
    const config::Configuration configuration = setup.configuration();
    at::manual_seed(5);
    const auto model = models::buildModel(configuration, onTestDevice(setup.dtype));
    TechniqueStack stack(configuration);
    stack.apply(*model);
    stack.hooks().beginStep();
    models::Inputs inputs = models::makeInputs(configuration, onTestDevice(setup.dtype));
    at::Tensor& input = inputs.at("hidden_states");
    input.requires_grad_(true);
    StepResult result;
    {
        at::Tensor loss;
        {
            const Autocast autocast(setup.autocast);
            const at::Tensor output = model->forward(inputs);
            result.tensors.push_back(output.detach());
            loss = output.square().mean();
        }
        for (int i = 0; i < backwards; ++i)
            loss.backward({}, /*retain_graph=*/i + 1 < backwards);
    }
    result.tensors.push_back(input.grad());
    for (const at::Tensor& parameter : model->parameters())
        result.tensors.push_back(parameter.grad());
    result.tensors.push_back(at::randn({4}, onTestDevice()));
    result.counters = stack.counters().at("checkpointing");
    result.effective = stack.effective().at("checkpointing");
    return result;
}

void expectBitEqual(const StepResult& result, const StepResult& expected, const std::string& name)
{
    ASSERT_EQ(result.tensors.size(), expected.tensors.size());
    for (std::size_t i = 0; i < expected.tensors.size(); ++i) {
        ASSERT_EQ(result.tensors[i].defined(), expected.tensors[i].defined()) << name << ", tensor " << i;
        if (!expected.tensors[i].defined())
            continue;
        EXPECT_TRUE(sameNumbers(result.tensors[i], expected.tensors[i])) << name << ", tensor " << i;
    }
}

void expectBitEqualForEveryNotation(Arrangement setup, int backwards = 1)
{
    const StepResult plain = stepOf(setup, backwards);
    for (const char* notation : kNotations) {
        setup.checkpointing = notation;
        expectBitEqual(stepOf(setup, backwards), plain, notation);
    }
}

TEST(CheckpointingModelsTest, ltxIsBitEqualInEveryDtype)
{
    requireValues();
    for (const c10::ScalarType dtype : {at::kFloat, at::kDouble, at::kBFloat16})
        expectBitEqualForEveryNotation({.fields = {{"num_layers", 3}}, .dtype = dtype});
}

TEST(CheckpointingModelsTest, theFeedForwardStackIsBitEqualWithDropout)
{
    for (const char* activation : {"gelu", "geglu", "swiglu"})
        for (const bool bias : {false, true})
            expectBitEqualForEveryNotation({.model = "ffn-stack-tiny",
                .fields = {{"num_layers", 5}, {"activation_fn", activation}, {"dropout", 0.25}, {"bias", bias}}});
}

TEST(CheckpointingModelsTest, autocastIsTheSameInTheRepetition)
{
    requireValues();
    expectBitEqualForEveryNotation({.fields = {{"num_layers", 3}}, .autocast = true});
    expectBitEqualForEveryNotation(
        {.model = "ffn-stack-tiny", .fields = {{"num_layers", 3}, {"dropout", 0.5}}, .autocast = true});
}

// What was kept stays until the graph goes, and what was offloaded comes back once more.
TEST(CheckpointingModelsTest, aRetainedGraphCanBeWalkedAgain)
{
    requireValues();
    expectBitEqualForEveryNotation({.fields = {{"num_layers", 3}}}, 3);
    expectBitEqualForEveryNotation({.model = "ffn-stack-tiny", .fields = {{"num_layers", 4}, {"dropout", 0.5}}}, 2);
}

TEST(CheckpointingModelsTest, composesWithSplitLayers)
{
    requireValues();
    for (const char* splitFfn : {"2", "2:recompute", "tokens:2"})
        expectBitEqualForEveryNotation({.model = "ffn-stack-tiny",
            .fields = {{"num_layers", 3}, {"dropout", 0.25}, {"activation_fn", "geglu"}},
            .splitFfn = splitFfn});
    for (const char* splitFfn : {"4", "4:recompute"})
        expectBitEqualForEveryNotation({.fields = {{"num_layers", 2}}, .splitFfn = splitFfn});
}

TEST(CheckpointingModelsTest, withoutEarlyStopTheResultIsTheSame)
{
    requireValues();
    const StepResult plain = stepOf({.fields = {{"num_layers", 3}}});
    for (const char* notation : kNotations)
        expectBitEqual(
            stepOf({.fields = {{"num_layers", 3}}, .checkpointing = notation, .options = {{"early_stop", false}}}),
            plain, notation);
}

TEST(CheckpointingModelsTest, randomShapesAreBitEqual)
{
    std::mt19937 random(23);
    const auto between = [&](int least, int most) { return least + static_cast<int>(random() % (most - least + 1)); };
    for (int i = 0; i < 30; ++i) {
        Arrangement setup{.model = "ffn-stack-tiny",
            .fields = {{"num_layers", between(2, 6)}, {"dim", between(1, 40)}, {"dim_out", between(1, 9)},
                {"mult", between(1, 5)}, {"bias", between(0, 1) == 1}, {"dropout", 0.1 * between(0, 5)}},
            .dtype = std::vector{at::kFloat, at::kDouble, at::kBFloat16}[random() % 3]};
        const StepResult plain = stepOf(setup);
        setup.checkpointing = kNotations[random() % std::size(kNotations)];
        setup.options = {{"early_stop", between(0, 1) == 1}};
        expectBitEqual(stepOf(setup), plain, setup.checkpointing);
    }
}

// Ops that the list does not name run again, those that it names do not.
TEST(CheckpointingModelsTest, ltxKeepsProductsAndAttention)
{
    requireValues();
    const StepResult ops = stepOf({.fields = {{"num_layers", 3}}, .checkpointing = "ops"});
    EXPECT_THAT(ops.effective, HasSubstr("3 of 3 blocks checkpointed, each keeping 12 of "));
    EXPECT_THAT(ops.effective, HasSubstr(" ops' results (2 _scaled_dot_product_flash_attention_for_cpu, 10 addmm)"));
    const StepResult products = stepOf({.fields = {{"num_layers", 3}},
        .checkpointing = "ops",
        .options = {{"save_ops", config::Value::List{"addmm"}}}});
    EXPECT_THAT(products.effective, HasSubstr(" ops' results (10 addmm)"));
    EXPECT_EQ(products.counters.at("ops_recomputed"), ops.counters.at("ops_recomputed") + 3 * 2);
}

TEST(CheckpointingModelsTest, layersOfLtxAreComputedAgainByName)
{
    requireValues();
    const StepResult forced = stepOf({.fields = {{"num_layers", 3}},
        .checkpointing = "ops",
        .options = {{"force_recompute", config::Value::List{"ff.net.0.proj"}}}});
    EXPECT_THAT(forced.effective, HasSubstr("9 addmm), never those of ff.net.0.proj"));
    const auto refused = [](const char* name) {
        return refusal(
            [&] { stepOf({.checkpointing = "ops", .options = {{"force_recompute", config::Value::List{name}}}}); });
    };
    EXPECT_THAT(refused("norm_q"), HasSubstr("\"norm_q\" is part of no Linear's path"));
    EXPECT_THAT(refused("proj_in"),
        HasSubstr(
            "\"proj_in\" is part of no linear layer's path in the blocks (valid: parts of attn1.to_q, attn1.to_k, "
            "attn1.to_v, attn1.to_out.0, "));
}

// What every block is given (text, modulation, rotary tables, mask) stays; so does the last block's input, which the
// backward pass begins with.
TEST(CheckpointingModelsTest, whatABlockAloneKeepsGoesToTheHost)
{
    requireValues();
    const Arrangement setup{.fields = {{"num_layers", 4}}, .checkpointing = "all+offload"};
    const StepResult result = stepOf(setup);
    const auto hidden = models::makeInputs(setup.configuration(), onTestDevice(at::kFloat)).at("hidden_states");
    const std::int64_t width = 2 * 8;
    EXPECT_EQ(result.counters.at("bytes_to_host"), 3 * hidden.size(0) * hidden.size(1) * width * 4);
    EXPECT_EQ(result.effective, "4 of 4 blocks checkpointed, their inputs in pinned host memory");
    EXPECT_EQ(
        stepOf({.fields = {{"num_layers", 4}}, .checkpointing = "blocks:3+offload"}).counters.at("bytes_to_host"), 0);
    EXPECT_EQ(stepOf({.fields = {{"num_layers", 4}}, .checkpointing = "all"}).counters.at("bytes_to_host"), 0);
}

} // namespace
} // namespace headroom::techniques::checkpointing_models_test
