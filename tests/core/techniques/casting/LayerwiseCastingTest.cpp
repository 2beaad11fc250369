// SPDX-License-Identifier: Apache-2.0
//
// Casting of any module, with layers of torch::nn.
#include "core/techniques/casting/LayerwiseCasting.h"

#include "core/memory/CpuMemory.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterHome.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/core/techniques/casting/CastModels.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>

namespace headroom::techniques {
namespace {

using Granularity = config::CastingNotation::Granularity;
using testing::ElementsAre;

// Words to pictures and back to numbers: an embedding, convolutions both ways, a Linear, and what is no floating
// weight.
class Mixed : public torch::nn::Module {
public:
    Mixed()
        : embedding(register_module("embedding", torch::nn::Embedding(10, 16)))
        , convolution(register_module("convolution", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 3, 3).padding(1))))
        , transposed(register_module("transposed", torch::nn::ConvTranspose2d(3, 1, 1)))
        , normOfRows(register_parameter("norm_of_rows", at::ones({4}, onTestDevice())))
        , counts(register_buffer("counts", at::arange(4, onTestDevice(at::kLong))))
        , isUsed(register_parameter("is_used", at::ones({4}, onTestDevice(at::kBool)), false))
        , shift(register_buffer("shift", at::full({4}, 0.3, onTestDevice())))
        , head(register_module("head", torch::nn::Linear(4, 5)))
    {
    }

    at::Tensor forward(const at::Tensor& words)
    {
        const tensor::ModuleScope scope(*this);
        return ofPictures(run(embedding, words).view({words.size(0), 1, 4, 4}));
    }

    at::Tensor ofPictures(at::Tensor x)
    {
        x = run(transposed, at::relu(run(convolution, x))).view({-1, 4, 4});
        x = (x * normOfRows + shift) * counts * isUsed;
        return run(head, x);
    }

    template <typename Layer> static at::Tensor run(Layer& layer, const at::Tensor& input)
    {
        const tensor::ModuleScope scope(*layer);
        return layer->forward(input);
    }

    torch::nn::Embedding embedding;
    torch::nn::Conv2d convolution;
    torch::nn::ConvTranspose2d transposed;
    at::Tensor normOfRows;
    at::Tensor counts;
    at::Tensor isUsed;
    at::Tensor shift;
    torch::nn::Linear head;
};

std::shared_ptr<Mixed> mixed(c10::ScalarType type = at::kFloat)
{
    requireValues(); // nor can LibTorch move a module to meta
    at::manual_seed(5);
    auto model = std::make_shared<Mixed>();
    model->to(testDevice()); // LibTorch's layers are made on the CPU
    freeze(*model);
    for (const auto& tensors : {model->parameters(), model->buffers()})
        for (at::Tensor tensor : tensors)
            if (tensor.is_floating_point())
                tensor.set_data(tensor.to(type));
    return model;
}

at::Tensor words()
{
    return at::arange(6, onTestDevice(at::kLong));
}

CastRules rulesOf(Granularity granularity, c10::ScalarType storage = at::kFloat8_e4m3fn)
{
    return {.storage = storage, .granularity = granularity};
}

TEST(LayerwiseCastingTest, findsLayersOfTorchByTheirKind)
{
    const auto model = mixed();
    std::vector<std::string> paths;
    for (const CastUnit& unit : castUnits(*model, {}, rulesOf(Granularity::Layer)))
        paths.push_back(unit.path);
    EXPECT_THAT(paths, ElementsAre("embedding", "convolution", "transposed", "head"));
    EXPECT_EQ(classNameOf(*model->transposed), "ConvTranspose2d");
    EXPECT_EQ(classNameOf(*model), "Mixed");
}

TEST(LayerwiseCastingTest, onlyFloatingTensorsAreCast)
{
    const auto model = mixed();
    const AppliedCasting casting(*model, rulesOf(Granularity::Model));
    EXPECT_EQ(model->counts.scalar_type(), at::kLong);
    EXPECT_EQ(model->isUsed.scalar_type(), at::kBool);
    EXPECT_EQ(model->shift.scalar_type(), at::kFloat8_e4m3fn);
    EXPECT_EQ(model->normOfRows.scalar_type(), at::kFloat8_e4m3fn);
    EXPECT_EQ(casting.stored.tensors, 9);
    EXPECT_EQ(casting.stored.bytes, 160 + (27 + 3) + (3 + 1) + 4 + 4 + (20 + 5));
}

TEST(LayerwiseCastingTest, computesWithTheStoredValues)
{
    for (const auto granularity : {Granularity::Layer, Granularity::Model})
        for (const c10::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16})
            for (const c10::ScalarType storage : {at::kFloat8_e4m3fn, at::kFloat8_e5m2, at::kBFloat16, at::kHalf}) {
                CastRules rules = rulesOf(granularity, storage);
                rules.compute = type;
                const auto expected = mixed(type);
                roundParameters(castUnits(*expected, {}, rules), storage);
                const auto model = mixed(type);
                const AppliedCasting casting(*model, rules);
                EXPECT_TRUE(sameNumbers(model->forward(words()), expected->forward(words())))
                    << c10::toString(type) << " " << c10::toString(storage);
            }
}

TEST(LayerwiseCastingTest, theStoredTensorsArePutBackUnchanged)
{
    const auto model = mixed();
    AppliedCasting casting(*model, rulesOf(Granularity::Model));
    std::vector<const void*> before;
    std::vector<at::Tensor> values;
    for (const at::Tensor& parameter : model->parameters()) {
        before.push_back(parameter.const_data_ptr());
        values.push_back(parameter.clone());
    }
    for (int step = 0; step < 3; ++step)
        model->forward(words());
    const auto parameters = model->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        EXPECT_EQ(parameters[i].const_data_ptr(), before[i]);
        EXPECT_EQ(parameters[i].scalar_type(), values[i].scalar_type());
        EXPECT_TRUE(sameNumbers(parameters[i].view(at::kByte), values[i].view(at::kByte)));
    }
}

TEST(LayerwiseCastingTest, theStoredTensorsArePutBackWhereAForwardFails)
{
    const auto model = mixed();
    const AppliedCasting casting(*model, rulesOf(Granularity::Model));
    EXPECT_ANY_THROW(model->forward(at::full({2}, 99, onTestDevice(at::kLong))));
    EXPECT_EQ(tensorsOf(*model, at::kFloat8_e4m3fn), 8U);
    EXPECT_NO_THROW(model->forward(words()));
}

TEST(LayerwiseCastingTest, countsCastsAndTheirBytes)
{
    const auto model = mixed();
    const AppliedCasting casting(*model, rulesOf(Granularity::Layer));
    model->forward(words());
    EXPECT_EQ(casting.count->casts, 7);
    EXPECT_EQ(casting.count->castBytes, (160 + 30 + 4 + 25) * 4);
    EXPECT_EQ(casting.count->streamSyncs, 0);
}

TEST(LayerwiseCastingTest, endsWithItsObject)
{
    const auto model = mixed();
    {
        const AppliedCasting casting(*model, rulesOf(Granularity::Layer));
    }
    const tensor::ModuleScope scope(*model->head);
    EXPECT_EQ(model->head->weight.scalar_type(), at::kFloat8_e4m3fn);
}

TEST(LayerwiseCastingTest, aTensorThatSeveralModulesShareIsUpcastForEach)
{
    requireValues();
    class Linear : public torch::nn::Module {
    public:
        explicit Linear(const at::Tensor& shared)
            : weight(register_parameter("weight", shared))
        {
        }
        at::Tensor forward(const at::Tensor& input) { return at::linear(input, weight); }
        at::Tensor weight;
    };
    class Tied : public torch::nn::Module {
    public:
        Tied()
            : embedding(register_module("embedding", torch::nn::Embedding(10, 4)))
            , head(register_module("head", std::make_shared<Linear>(embedding->weight)))
        {
        }
        at::Tensor forward(const at::Tensor& input)
        {
            const tensor::ModuleScope scope(*this);
            return Mixed::run(head, Mixed::run(embedding, input));
        }
        torch::nn::Embedding embedding;
        std::shared_ptr<Linear> head;
    };
    Tied model;
    model.to(testDevice());
    freeze(model);
    const at::Tensor weight = model.embedding->weight.to(at::kFloat8_e4m3fn).to(at::kFloat);
    const AppliedCasting casting(model, rulesOf(Granularity::Layer));
    const at::Tensor input = at::arange(3, onTestDevice(at::kLong));
    EXPECT_TRUE(sameNumbers(model.forward(input), at::linear(weight.narrow(0, 0, 3), weight)));
    EXPECT_EQ(casting.stored.bytes, 40);
}

// Convolutions save their weights themselves, not views of them.
TEST(LayerwiseCastingTest, gradientsFlowThroughEveryKindOfLayer)
{
    for (const auto granularity : {Granularity::Layer, Granularity::Model})
        for (const auto backward : {BackwardCopies::Kept, BackwardCopies::CastAgain}) {
            const auto gradientOf = [](Mixed& model) {
                at::manual_seed(6);
                const at::Tensor input = at::randn({2, 1, 4, 4}, onTestDevice()).requires_grad_(true);
                at::Tensor output;
                {
                    const tensor::ModuleScope root(model);
                    output = model.ofPictures(input);
                }
                output.square().sum().backward();
                return input.grad();
            };
            const auto expected = mixed();
            roundParameters(castUnits(*expected, {}, rulesOf(granularity)), at::kFloat8_e4m3fn);
            const auto model = mixed();
            const AppliedCasting casting(*model, rulesOf(granularity), {.backward = backward});
            EXPECT_TRUE(sameNumbers(gradientOf(*model), gradientOf(*expected)));
        }
}

// Inference: storage, and one buffer of the largest unit.
TEST(LayerwiseCastingTest, oneBufferServesAllUnits)
{
    requireCpu("of its allocator");
    const auto model = mixed();
    const torch::NoGradGuard noGradients;
    const at::Tensor input = words();
    model->forward(input);
    const auto backend = std::make_shared<tensor::RecordingBackend>();
    const tensor::CpuMemory accounting(backend);
    AppliedCasting casting(*model, rulesOf(Granularity::Layer));
    EXPECT_EQ(backend->liveBytes(), casting.stored.bytes);
    backend->restart();
    for (int step = 0; step < 2; ++step)
        model->forward(input);
    const auto births = backend->births();
    EXPECT_EQ(std::count(births.begin(), births.end(), Bytes{160 * 4 + 128}), 2); // 640 bytes, to a multiple of 256
    EXPECT_EQ(backend->liveBytes(), casting.stored.bytes) << "the buffer is not held between steps";
}

TEST(LayerwiseCastingTest, nextUnitsAreUpcastAheadInTheOrderOfTheFirstForward)
{
    const auto model = mixed();
    const at::Tensor expected = [&] {
        const auto rounded = mixed();
        roundParameters(castUnits(*rounded, {}, rulesOf(Granularity::Layer)), at::kFloat8_e4m3fn);
        return rounded->forward(words());
    }();
    const AppliedCasting casting(*model, rulesOf(Granularity::Layer), {.ahead = UpcastAhead::Yes});
    const torch::NoGradGuard noGradients;
    EXPECT_TRUE(sameNumbers(model->forward(words()), expected));
    EXPECT_EQ(casting.count->streamSyncs, 0);
    *casting.count = {};
    for (int step = 0; step < 20; ++step)
        EXPECT_TRUE(sameNumbers(model->forward(words()), expected));
    EXPECT_EQ(casting.count->casts, 20 * 7);
    EXPECT_EQ(casting.count->streamSyncs, 20 * 4 * 2);
}

/// Counts what is submitted to side streams of a simulated device.
class SideWork final : public tensor::DeviceTimeline {
public:
    SideTrack addSideStream() override { return 1; }
    void enterSideStream(SideTrack) override { ++count; }
    void leaveSideStream() override { }
    void sideWaitsForCompute(SideTrack) override { }
    void computeWaitsForSide(SideTrack) override { }
    void hostWaitsForSide(SideTrack) override { }
    void hostWaits() override { }
    void transferBegins(tensor::TransferDirection, Bytes, tensor::TransferWait) override { }
    void transferEnds() override { }

    int count = 0;
};

// A trial's offloaded weights already rest on the host when casting is applied: the stream is that of the device on
// which they are used, which is meta here.
TEST(LayerwiseCastingTest, unitsAreUpcastAheadOnTheDeviceThatComputes)
{
    const auto model = mixed();
    std::vector<std::unique_ptr<tensor::RestingParameter>> resting;
    for (const at::Tensor& parameter : model->parameters())
        resting.push_back(std::make_unique<tensor::RestingParameter>(parameter, c10::Device(c10::kMeta)));
    const AppliedCasting casting(*model, rulesOf(Granularity::Layer), {.ahead = UpcastAhead::Yes});
    SideWork work;
    const tensor::DeviceTimeline::Activation activation(work);
    const torch::NoGradGuard noGradients;
    model->forward(words());
    EXPECT_EQ(work.count, 0) << "the first forward only learns the order";
    model->forward(words());
    EXPECT_EQ(work.count, 4);
}

TEST(LayerwiseCastingTest, anotherOrderThanTheFirstStopsThePrefetching)
{
    const auto model = mixed();
    const AppliedCasting casting(*model, rulesOf(Granularity::Layer), {.ahead = UpcastAhead::Yes});
    const torch::NoGradGuard noGradients;
    model->forward(words());
    const at::Tensor expected = model->forward(words());
    const at::Tensor rows = at::ones({2, 4}, onTestDevice());
    {
        const tensor::ModuleScope root(*model);
        Mixed::run(model->head, rows); // the embedding was expected
    }
    EXPECT_TRUE(sameNumbers(model->forward(words()), expected));
    EXPECT_EQ(tensorsOf(*model, at::kFloat8_e4m3fn), 7U);
}

} // namespace
} // namespace headroom::techniques
