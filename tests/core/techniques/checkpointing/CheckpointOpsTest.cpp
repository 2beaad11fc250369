// SPDX-License-Identifier: Apache-2.0
//
// Op-level checkpointing against torchtitan's unit tests: one block of three products, what its backward pass computes
// and what is kept for it.
#include "core/models/layers/Container.h"
#include "core/models/layers/Linear.h"
#include "core/recompute/SavedTensorCounter.h"
#include "core/techniques/checkpointing/Checkpointing.h"
#include "core/tensor/OpInterceptor.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

namespace headroom::techniques::checkpoint_ops_test {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kWidth = 512;
constexpr double kUnit = 2.0 * kWidth * kWidth * kWidth;
constexpr Bytes kMiB = 1 << 20;

/// gate (in a router in a mixture of experts), wq, output twice as wide; the sum of what comes out.
class ThreeProducts final : public torch::nn::Module {
public:
    ThreeProducts()
    {
        const auto linear = [](std::int64_t out) {
            return std::make_shared<models::Linear>(kWidth, out, models::Bias::Off, onTestDevice(at::kFloat));
        };
        const auto moe = register_module("moe", std::make_shared<models::Container>());
        const auto router = moe->register_module("router", std::make_shared<models::Container>());
        gate = router->register_module("gate", linear(kWidth));
        const auto attention = register_module("attention", std::make_shared<models::Container>());
        wq = attention->register_module("wq", linear(kWidth));
        output = register_module("output", linear(2 * kWidth));
        const torch::NoGradGuard noGradients;
        for (const auto& layer : {gate, wq, output})
            models::initialise(*layer);
    }

    at::Tensor forward(const at::Tensor& input) const
    {
        return output->forward(wq->forward(gate->forward(input))).sum();
    }

    std::shared_ptr<models::Linear> gate, wq, output;
};

class OneBlock final : public models::Model {
public:
    OneBlock()
    {
        const auto layers = register_module("layers", std::make_shared<models::Container>());
        block = layers->register_module("0", std::make_shared<ThreeProducts>());
    }
    at::Tensor forward(const models::Inputs& inputs) override
    {
        const auto forward = [layer = block](const std::vector<at::Tensor>& in) {
            return std::vector<at::Tensor>{layer->forward(in[0])};
        };
        return runBlock(0, forward, {inputs.at("x")})[0];
    }
    std::vector<models::FeedForward*> feedForwards() override { return {}; }
    std::vector<torch::nn::Module*> blocks() override { return {block.get()}; }

    std::shared_ptr<ThreeProducts> block;
};

/// Arithmetic of the products that really run, and whose weights went into them as a layer's forward has them.
class Products final : public tensor::OpObserver {
public:
    explicit Products(const ThreeProducts& block)
        : m_names{{block.gate->weight.data_ptr(), "gate"}, {block.wq->weight.data_ptr(), "wq"},
              {block.output->weight.data_ptr(), "output"}}
    {
    }
    void before(const tensor::OpCall& call) override
    {
        if (call.op.schema().name() != "aten::mm")
            return;
        const at::Tensor left = call.stack[call.stack.size() - 2].toTensor();
        const at::Tensor right = call.stack.back().toTensor();
        flops += 2.0 * static_cast<double>(left.numel()) * static_cast<double>(right.size(1));
        if (right.stride(0) == 1 && m_names.contains(right.data_ptr()))
            layers.push_back(m_names.at(right.data_ptr()));
    }
    void after(const tensor::OpCall&) override { }

    double flops = 0;
    std::vector<std::string> layers;

private:
    std::map<const void*, std::string> m_names;
};

struct Setting {
    const char* notation;
    const char* recomputed = nullptr;
    bool earlyStop = false;

    config::TechniqueSetting technique() const
    {
        config::TechniqueSetting setting{notation, {{"early_stop", earlyStop}}};
        if (recomputed != nullptr)
            setting.options["force_recompute"] = config::Value::List{recomputed};
        return setting;
    }
};

struct Outcome {
    double backwardUnits = 0;
    double keptMiB = 0;
    std::vector<std::string> ranAgain;
    std::vector<at::Tensor> tensors; ///< output, gradients of the input and of the weights
    Counters counters;
    std::string effective;
};

Outcome run(const Setting& setting)
{
    at::manual_seed(3);
    OneBlock model;
    Checkpointing technique(setting.technique());
    technique.apply(model);
    const at::Tensor input = at::randn({kWidth, kWidth}, onTestDevice()).requires_grad_();
    tensor::SavedTensorCounter saved;
    Outcome outcome;
    at::Tensor loss;
    {
        const tensor::SavedTensorHookScope hooks(saved);
        loss = model.forward({{"x", input}});
    }
    std::vector<at::Tensor> except = model.parameters();
    except.push_back(input);
    outcome.keptMiB = static_cast<double>(saved.heldBytes(except)) / static_cast<double>(kMiB);
    Products products(*model.block);
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(products);
    {
        const tensor::OpInterceptor::Scope scope(interceptor);
        loss.backward();
    }
    outcome.backwardUnits = products.flops / kUnit;
    outcome.ranAgain = products.layers;
    outcome.tensors = {loss.detach(), input.grad()};
    for (const at::Tensor& parameter : model.parameters())
        outcome.tensors.push_back(parameter.grad());
    outcome.counters = technique.counters();
    outcome.effective = technique.effective();
    return outcome;
}

struct Row {
    Setting setting;
    double units; ///< arithmetic of the backward pass in units of 2 * 512^3
    double kept; ///< MiB
    std::vector<std::string> ranAgain;
};

void expectRows(const std::vector<Row>& rows)
{
    const Outcome plain = run({"none"});
    for (const Row& row : rows) {
        const std::string name =
            std::string(row.setting.notation) + " " + (row.setting.recomputed == nullptr ? "" : row.setting.recomputed);
        const Outcome outcome = run(row.setting);
        EXPECT_EQ(outcome.keptMiB, row.kept) << name;
        if (!testDevice().is_cuda()) { // there the backward pass runs on the engine's device thread, where nobody looks
            EXPECT_EQ(outcome.backwardUnits, row.units) << name;
            EXPECT_EQ(outcome.ranAgain, row.ranAgain) << name;
        }
        ASSERT_EQ(outcome.tensors.size(), plain.tensors.size());
        for (std::size_t i = 0; i < plain.tensors.size(); ++i)
            EXPECT_TRUE(sameNumbers(outcome.tensors[i], plain.tensors[i])) << name << ", tensor " << i;
    }
}

TEST(CheckpointOpsTest, theTableOfTorchtitanWithoutEarlyStop)
{
    requireValues();
    expectRows(
        {{{"none"}, 8, 2, {}}, {{"ops:mm/2"}, 9, 3, {"wq"}}, {{"ops:mm/2", "moe.router.gate"}, 10, 2, {"gate", "wq"}},
            {{"ops:mm/2", "output"}, 11, 1, {"wq", "output"}}, {{"all"}, 12, 0, {"gate", "wq", "output"}}});
}

// The product of "output" comes after the last tensor that is needed.
TEST(CheckpointOpsTest, theTableOfTorchtitanWithEarlyStop)
{
    requireValues();
    expectRows({{{"none", nullptr, true}, 8, 2, {}}, {{"ops:mm/2", nullptr, true}, 9, 3, {"wq"}},
        {{"ops:mm/2", "moe.router.gate", true}, 10, 2, {"gate", "wq"}}, {{"ops:mm/2", "output", true}, 9, 1, {"wq"}},
        {{"all", nullptr, true}, 10, 0, {"gate", "wq"}}});
}

// Keeping everything keeps more than no checkpointing: the last product's result, which nobody needs.
TEST(CheckpointOpsTest, everyProductIsKeptUnlessTheNotationSaysHowMany)
{
    requireValues();
    expectRows({{{"ops"}, 8, 4, {}}, {{"ops:mm/3"}, 11, 1, {"wq", "output"}}, {{"ops", "output"}, 10, 2, {"output"}},
        {{"ops", "gate"}, 10, 2, {"gate", "wq"}}});
}

TEST(CheckpointOpsTest, whatRunsAgainIsCountedWithoutViews)
{
    EXPECT_EQ(run({"ops:mm/2"}).counters.at("ops_recomputed"), 2) << "wq and the sum";
    EXPECT_EQ(run({"ops:mm/2", nullptr, true}).counters.at("ops_recomputed"), 1) << "it ends before the sum";
    EXPECT_EQ(run({"ops:mm/2", "output", true}).counters.at("ops_recomputed"), 1);
    EXPECT_EQ(run({"ops"}).counters.at("ops_recomputed"), 1);
    EXPECT_EQ(run({"all"}).counters.at("ops_recomputed"), 0);
    EXPECT_EQ(run({"ops"}).counters.at("blocks_recomputed"), 1);
}

TEST(CheckpointOpsTest, callsThatAreListedAreKept)
{
    requireValues();
    expectRows({{{"ops:calls/0"}, 11, 1, {"wq", "output"}}, {{"ops:calls/1"}, 11, 1, {"gate", "output"}},
        {{"ops:calls/0-1"}, 10, 2, {"output"}}, {{"blocks:0=ops:calls/0:1"}, 10, 2, {"output"}},
        {{"ops:calls/7"}, 12, 0, {"gate", "wq", "output"}}});
}

TEST(CheckpointOpsTest, saysWhatIsKeptAndWhatIsNot)
{
    EXPECT_EQ(run({"ops:mm/2", nullptr, true}).effective,
        "1 of 1 blocks checkpointed, each keeping 2 of 4 ops' results (2 mm)");
    EXPECT_EQ(run({"ops", "router.gate"}).effective,
        "1 of 1 blocks checkpointed, each keeping 1 of 4 ops' results (1 mm), never those of moe.router.gate; with "
        "them, of the same shape, attention.wq, repeated to the end");
    EXPECT_THAT(run({"ops", "output"}).effective, HasSubstr("never those of output, repeated to the end"));
}

TEST(CheckpointOpsTest, namesThatAreNoLinearLayersAreRefused)
{
    const auto refusalOf = [](const char* name) {
        OneBlock model;
        Checkpointing technique(Setting{"ops", name}.technique());
        return refusal([&] { technique.apply(model); });
    };
    EXPECT_EQ(refusalOf("experts"),
        "techniques.checkpointing.force_recompute: \"experts\" is part of no linear layer's path in the blocks (valid: "
        "parts of moe.router.gate, attention.wq, output)");
    EXPECT_THAT(refusalOf("layers.1"), HasSubstr("is part of no linear layer's path"));
    OneBlock model;
    Checkpointing technique(Setting{"ops", "layers.0.moe"}.technique());
    technique.apply(model);
    EXPECT_THAT(technique.effective(), HasSubstr("never those of moe.router.gate"));
}

// None of those that are named occurs.
TEST(CheckpointOpsTest, theOpsThatAreKeptCanBeChosen)
{
    config::TechniqueSetting setting{"ops", {{"save_ops", config::Value::List{"addmm", "bmm"}}}};
    OneBlock model;
    Checkpointing technique(setting);
    technique.apply(model);
    const at::Tensor input = at::randn({kWidth, kWidth}, onTestDevice()).requires_grad_();
    model.forward({{"x", input}}).backward();
    EXPECT_EQ(technique.effective(), "1 of 1 blocks checkpointed, each keeping 0 of 4 ops' results");
    EXPECT_EQ(technique.counters().at("ops_recomputed"), 2) << "gate and wq";
}

} // namespace
} // namespace headroom::techniques::checkpoint_ops_test
