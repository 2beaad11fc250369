// SPDX-License-Identifier: Apache-2.0
#include "core/archive/FeedForwards.h"
#include "core/base/Error.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "tests/core/autocast/LibTorchsAutocast.h"
#include "tests/core/models/imported/ImportedCase.h"
#include "tests/support/torch/Comparison.h"
#include "tests/support/torch/SilentObserver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// Every technique on imported models: the same numbers as without, and counters that say that it acted.
namespace headroom::models::imported_techniques_test {
namespace {

using Notations = std::map<std::string, std::string>;

const config::ValueMap kTraining{{"step", "train"}};

struct TechniqueStep {
    ImportedStep step;
    std::map<std::string, techniques::Counters> counters;
    std::map<std::string, std::string> effective;
};

TechniqueStep stepWith(ImportedCase& test, const Notations& notations)
{
    techniques::TechniqueStack stack(test.configuration(notations));
    stack.apply(*test.model);
    stack.hooks().beginStep();
    TechniqueStep result{stepOf(*test.model, test.inputs, test.seed()), stack.counters(), stack.effective()};
    return result;
}

TechniqueStep stepWith(const std::string& name, const Notations& notations, Precision precision = Precision::AsExported)
{
    ImportedCase test(name, precision);
    return stepWith(test, notations);
}

/// Steps with an optimizer: what is left of parameters after two of them.
struct RunResult {
    std::map<std::string, at::Tensor> parameters;
    at::Tensor output;
    std::map<std::string, techniques::Counters> counters;
};

RunResult runWith(const std::string& name, const Notations& notations, const config::ValueMap& workload = {})
{
    ImportedCase test(name);
    const config::Configuration configuration = test.configuration(notations, workload);
    techniques::TechniqueStack stack(configuration);
    const auto hooks = stack.apply(*test.model);
    SilentObserver observer;
    RunResult result;
    {
        training::StepRunner runner(*test.model, hooks, configuration.workload, test.inputs, observer);
        for (std::int64_t step = 0; step < 2; ++step) {
            torch::manual_seed(static_cast<std::uint64_t>(test.seed() + step));
            result.output = runner.run(step).output;
        }
        result.counters = stack.counters();
    }
    for (const auto& item : test.model->named_parameters())
        result.parameters.emplace(item.key(), item.value().detach().to(at::kCPU).clone());
    return result;
}

void expectSame(const ImportedStep& found, const ImportedStep& expected, const std::string& what)
{
    EXPECT_TRUE(sameNumbers(found.output, expected.output)) << what << ": output";
    ASSERT_EQ(found.gradients.size(), expected.gradients.size()) << what;
    for (const auto& [name, gradient] : expected.gradients)
        EXPECT_TRUE(sameNumbers(found.gradients.at(name), gradient)) << what << ": " << name;
}

void expectClose(const ImportedStep& found, const ImportedStep& expected, double bound, const std::string& what)
{
    EXPECT_LE(relativeL2(found.output, expected.output), bound) << what << ": output";
    ASSERT_EQ(found.gradients.size(), expected.gradients.size()) << what;
    for (const auto& [name, gradient] : expected.gradients)
        EXPECT_LE(relativeL2(found.gradients.at(name), gradient), bound) << what << ": " << name;
}

// Of float64 with sums in another order; what is computed otherwise is off by far more.
constexpr double kReordered = 1e-9;

const char* const kModels[]{"ltx-video", "llama", "unet", "gpt2", "t5", "resnet", "tied"};

TEST(ImportedTechniquesTest, everyCheckpointingPolicyGivesTheSameGradients)
{
    requireValues();
    for (const char* name : kModels) {
        const TechniqueStep plain = stepWith(name, {});
        for (const char* policy : {"all", "every:2", "blocks:0", "skip:0", "ops", "all+offload"}) {
            const TechniqueStep step = stepWith(name, {{"checkpointing", policy}});
            expectSame(step.step, plain.step, std::string(name) + ", checkpointing " + policy);
            EXPECT_GT(step.counters.at("checkpointing").at("blocks_checkpointed"), 0) << name << " " << policy;
            EXPECT_GT(step.counters.at("checkpointing").at("blocks_recomputed"), 0) << name << " " << policy;
        }
    }
}

TEST(ImportedTechniquesTest, feedForwardsAreFoundByTheirShape)
{
    const std::map<std::string, std::size_t> expected{
        {"ltx-video", 2}, {"llama", 2}, {"t5", 4}, {"resnet", 0}, {"tied", 0}, {"gpt2", 2}};
    for (const auto& [name, count] : expected) {
        ImportedCase test(name);
        EXPECT_EQ(test.model->feedForwards().size(), count) << name;
    }
}

TEST(ImportedTechniquesTest, describesTheFeedForwardsItFinds)
{
    const ImportedCase llama("llama");
    const auto blocks = archive::findBlocks(*llama.archive, {}, "model.blocks");
    EXPECT_THAT(archive::describeFeedForwards(*llama.archive, archive::findFeedForwards(*llama.archive, blocks)),
        testing::ElementsAre("model.layers.*.mlp: 2 Linears to 24 channels, silu, mul, Linear (2 of them)"));
}

TEST(ImportedTechniquesTest, splitFeedForwardsComputeTheSame)
{
    requireValues();
    for (const char* name : {"ltx-video", "llama", "unet", "t5", "gpt2"}) {
        const TechniqueStep plain = stepWith(name, {}, Precision::Double);
        ImportedCase test(name);
        const auto layers = static_cast<std::int64_t>(test.model->feedForwards().size());
        ASSERT_GT(layers, 0) << name;
        for (const char* notation : {"2", "2:recompute", "tokens:2"}) {
            const TechniqueStep step = stepWith(name, {{"split_ffn", notation}}, Precision::Double);
            expectClose(step.step, plain.step, kReordered, std::string(name) + ", split_ffn " + notation);
            EXPECT_EQ(step.counters.at("split_ffn").at("layers_split"), layers) << name;
            EXPECT_EQ(step.counters.at("split_ffn").at("slices_run"), 2 * layers) << name << " " << notation;
        }
        const TechniqueStep both =
            stepWith(name, {{"split_ffn", "2:recompute"}, {"checkpointing", "all"}}, Precision::Double);
        expectClose(both.step, plain.step, kReordered, std::string(name) + ", split and checkpointed");
        EXPECT_GT(both.counters.at("split_ffn").at("slices_recomputed"), 0) << name;
    }
}

// A frame or a list of Python may hold what is between a feed-forward's Linears beyond its block.
TEST(ImportedTechniquesTest, whatASplitFeedForwardNeverMakesDoesNotLeaveItsBlock)
{
    requireValues();
    const auto heldValues = [](ImportedCase& test) {
        archive::ExportedModel held = *test.archive;
        const auto blocks = archive::findBlocks(held, {}, "model.blocks");
        held.notes.lifetimes.emplace();
        for (const archive::FeedForwardNodes& nodes : archive::findFeedForwards(held, blocks))
            for (const std::size_t node : nodes.between)
                held.notes.lifetimes->emplace(archive::onlyResult(held.graph.nodes[node]), "");
        EXPECT_FALSE(held.notes.lifetimes->empty());
        test.use(std::make_shared<const archive::ExportedModel>(std::move(held)));
    };
    ImportedCase plain("llama", Precision::Double);
    heldValues(plain);
    ImportedCase split("llama", Precision::Double);
    heldValues(split);
    const TechniqueStep expected = stepWith(plain, {});
    const TechniqueStep step = stepWith(split, {{"split_ffn", "2"}, {"checkpointing", "blocks:0"}});
    EXPECT_EQ(step.counters.at("split_ffn").at("slices_run"), 4) << "2 of each of 2 blocks";
    EXPECT_EQ(step.counters.at("checkpointing").at("blocks_recomputed"), 1);
    expectClose(step.step, expected.step, kReordered, "llama");
}

TEST(ImportedTechniquesTest, attentionActsOnEveryAttentionOfTheGraph)
{
    requireCpu("which kernels there are is the device's");
    for (const char* name : {"ltx-video", "llama", "unet", "gpt2"}) {
        ImportedCase test(name, Precision::Double);
        const auto calls = std::ranges::count(
            test.archive->graph.nodes, "torch.ops.aten.scaled_dot_product_attention.default", &archive::Node::target);
        ASSERT_GT(calls, 0) << name;
        const TechniqueStep plain = stepWith(test, {});
        const TechniqueStep math = stepWith(name, {{"attention", "math"}}, Precision::Double);
        EXPECT_EQ(math.counters.at("attention").at("math"), calls) << name;
        std::int64_t counted = 0;
        for (const auto& [kernel, count] : plain.counters.at("attention"))
            counted += count;
        EXPECT_EQ(counted, calls) << name;
        if (std::string(name) != "gpt2") // dropout of weights draws others
            expectClose(math.step, plain.step, kReordered, std::string(name) + ", attention math");
    }
}

TEST(ImportedTechniquesTest, adaptersGoToNamedLinearsAndTrainAlone)
{
    requireValues();
    ImportedCase test("llama");
    const TechniqueStep step = stepWith(test, {{"trainable", "lora:2"}});
    EXPECT_EQ(step.counters.at("trainable").at("adapters"), 4); // q_proj and v_proj of two blocks
    for (const auto& [name, gradient] : step.step.gradients)
        EXPECT_THAT(name, testing::HasSubstr("lora_"));
    EXPECT_EQ(step.step.gradients.size(), 8U);
    const TechniqueStep plain = stepWith("llama", {});
    EXPECT_TRUE(sameNumbers(step.step.output, plain.step.output)) << "B is zero at first";
}

// GPT-2's layers are transformers' Conv1D, whose weights are [in, out].
TEST(ImportedTechniquesTest, transposedWeightsAreLinears)
{
    requireValues();
    ImportedCase test("gpt2");
    const TechniqueStep step = stepWith(test, {{"trainable", "lora:2"}});
    EXPECT_EQ(step.counters.at("trainable").at("adapters"), 2); // PEFT's c_attn, of two blocks
    EXPECT_EQ(step.step.gradients.size(), 4U);
    EXPECT_TRUE(sameNumbers(step.step.output, stepWith("gpt2", {}).step.output)) << "B is zero at first";
    ImportedCase plain("gpt2");
    for (const auto& [name, transposed] : std::map<std::string, bool>{
             {"transformer.h.0.attn.c_attn", true}, {"transformer.h.1.mlp.c_proj", true}, {"lm_head", false}})
        for (const auto& item : plain.model->named_modules())
            if (item.key() == name) {
                const auto* linear = dynamic_cast<const Linear*>(item.value().get());
                EXPECT_EQ(linear != nullptr && linear->layout() == WeightLayout::InByOut, transposed) << name;
            }
}

// Cast weights are raised and recomputed in training as those of other Linears are.
TEST(ImportedTechniquesTest, castTransposedWeightsTrainAdapters)
{
    requireValues();
    const Notations adapters{{"trainable", "lora:2"}};
    for (const char* casting : {"bf16", "e4m3:block"}) {
        const TechniqueStep plain = stepWith("gpt2", adapters);
        const TechniqueStep cast = stepWith("gpt2", {{"trainable", "lora:2"}, {"casting", casting}});
        const TechniqueStep both = stepWith(
            "gpt2", {{"trainable", "lora:2"}, {"casting", casting}, {"checkpointing", "all"}, {"split_ffn", "2"}});
        EXPECT_GT(cast.counters.at("casting").at("casts"), 0) << casting;
        EXPECT_GT(both.counters.at("split_ffn").at("slices_run"), 0) << casting;
        expectClose(both.step, cast.step, 1e-6, std::string("gpt2, split and checkpointed, casting ") + casting);
        const double difference = relativeL2(cast.step.output, plain.step.output);
        EXPECT_GT(difference, 0) << casting;
        EXPECT_LT(difference, 0.5) << casting;
    }
}

TEST(ImportedTechniquesTest, offloadedWeightsGiveTheSameUpdates)
{
    requireValues();
    for (const char* name : kModels) {
        const RunResult plain = runWith(name, {{"optimizer", "sgd"}}, kTraining);
        for (const char* notation : {"block:1", "leaf", "block:1+stream"}) {
            const RunResult run = runWith(name, {{"offload", notation}, {"optimizer", "sgd"}}, kTraining);
            EXPECT_GT(run.counters.at("offload").at("groups"), 0) << name << " " << notation;
            for (const auto& [parameter, value] : plain.parameters)
                EXPECT_TRUE(sameNumbers(run.parameters.at(parameter), value))
                    << name << " " << notation << " " << parameter;
        }
    }
}

TEST(ImportedTechniquesTest, optimizerAndAverageUpdateEveryParameter)
{
    requireValues();
    for (const char* name : {"ltx-video", "tied", "resnet"}) {
        ImportedCase test(name);
        const RunResult run = runWith(name, {{"optimizer", "adamw"}, {"ema", "device"}}, kTraining);
        const auto parameters = static_cast<std::int64_t>(test.model->parameters().size());
        EXPECT_EQ(run.counters.at("optimizer").at("parameters_updated"), parameters) << name;
        EXPECT_GT(run.counters.at("ema").at("updates"), 0) << name;
    }
}

TEST(ImportedTechniquesTest, castWeightsAreRaisedWhileTheirModulesRun)
{
    requireValues();
    for (const char* name : {"ltx-video", "llama", "unet", "t5", "gpt2"})
        for (const char* notation : {"e4m3", "e5m2:group", "e5m2:block", "e4m3:model"}) {
            const RunResult plain = runWith(name, {}, {{"step", "inference"}});
            const RunResult run = runWith(name, {{"casting", notation}}, {{"step", "inference"}});
            EXPECT_GT(run.counters.at("casting").at("casts"), 0) << name << " " << notation;
            const double difference = relativeL2(run.output, plain.output);
            EXPECT_GT(difference, 0) << name << " " << notation;
            EXPECT_LT(difference, 0.5) << name << " " << notation;
        }
}

// T5's encoder and decoder call one table, which is the model's.
TEST(ImportedTechniquesTest, aTableOfSeveralPathsIsCast)
{
    ImportedCase test("t5");
    const auto table = test.model->named_parameters()["shared.weight"];
    techniques::TechniqueStack stack(test.configuration({{"casting", "e4m3"}}, {{"step", "inference"}}));
    stack.apply(*test.model);
    EXPECT_EQ(table.scalar_type(), at::kFloat8_e4m3fn);
}

TEST(ImportedTechniquesTest, lossIsReadAndInputsAreTransferred)
{
    requireValues();
    const RunResult run =
        runWith("ltx-video", {{"loss_readback", "every_step"}, {"input_transfer", "pageable"}}, kTraining);
    EXPECT_GT(run.counters.at("loss_readback").at("reads"), 0);
    EXPECT_GT(run.counters.at("input_transfer").at("bytes_to_device"), 0);
}

// The ops of the graph are cast as LibTorch's own autocast casts them, Linears and attention among them.
TEST(ImportedTechniquesTest, autocastAroundTheGraphIsLibTorchs)
{
    requireCpu("LibTorch's lists for it");
    for (const char* name : {"ltx-video", "llama", "unet", "t5", "gpt2"}) {
        ImportedCase own(name);
        ImportedCase expected(name);
        const auto run = [](ImportedCase& test) {
            torch::manual_seed(1);
            const at::Tensor output = test.model->forward(test.inputs);
            output.to(at::kFloat).square().mean().backward();
            return output;
        };
        at::Tensor found;
        at::Tensor wanted;
        {
            const tensor::AutocastRegion region(at::kBFloat16, tensor::AutocastLists::Cpu);
            found = run(own);
        }
        {
            const tensor::LibTorchsAutocast region(at::kBFloat16);
            wanted = run(expected);
        }
        EXPECT_EQ(found.scalar_type(), wanted.scalar_type()) << name;
        EXPECT_TRUE(sameBits(found, wanted)) << name;
        const auto gradients = own.model->named_parameters();
        for (const auto& item : expected.model->named_parameters())
            if (item.value().grad().defined()) {
                EXPECT_LE(relativeL2(gradients[item.key()].grad(), item.value().grad()), 1e-6)
                    << name << ": " << item.key();
            }
    }
}

TEST(ImportedTechniquesTest, aTrialsBuffersAreThoseOfTheArchive)
{
    requireValues();
    const auto movingMean = [](const ImportedCase& test) {
        return test.model->named_buffers()["stem_norm.running_mean"];
    };
    ImportedCase first("resnet");
    const at::Tensor before = movingMean(first).clone();
    stepOf(*first.model, first.inputs, first.seed());
    EXPECT_FALSE(sameBits(movingMean(first), before));
    const ImportedCase second("resnet");
    EXPECT_TRUE(sameBits(movingMean(second), before));
}

TEST(ImportedTechniquesTest, whatALinearRefusesNamesItsPlace)
{
    requireValues();
    ImportedCase test("ltx-video");
    test.inputs["hidden_states"] = test.inputs.at("hidden_states").slice(-1, 1);
    try {
        test.model->forward(test.inputs);
        FAIL() << "ran";
    } catch (const TrialError& error) {
        EXPECT_THAT(error.where(), testing::StartsWith("proj_in"));
        EXPECT_THAT(error.problem(), testing::StartsWith("torch.ops.aten.linear.default: "));
    }
}

// The first of two layers runs twice: two blocks of three are its.
TEST(ImportedTechniquesTest, aModuleThatIsCalledTwiceIsTwoBlocks)
{
    requireValues();
    ImportedCase test("tied");
    const auto blocks = test.model->blocks();
    ASSERT_EQ(blocks.size(), 3U);
    EXPECT_EQ(blocks[0], blocks[2]);
    const TechniqueStep step = stepWith(test, {{"checkpointing", "all"}});
    EXPECT_EQ(step.counters.at("checkpointing").at("blocks_recomputed"), 3);
}

} // namespace
} // namespace headroom::models::imported_techniques_test
