// SPDX-License-Identifier: Apache-2.0
#include "core/autocast/AutocastRegion.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "tests/core/autocast/LibTorchsAutocast.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

namespace headroom::models::autocast_models_test {
namespace {

/// Ours, by the lists of the test device.
class OwnAutocast {
public:
    explicit OwnAutocast(c10::ScalarType type)
        : m_region(type, tensor::autocastListsOf(testDevice()))
    {
    }

private:
    tensor::AutocastRegion m_region;
};

/// Output and gradients of one forward and backward.
using Results = std::map<std::string, at::Tensor>;

void freeze(Model& model, const std::vector<std::string>& frozen)
{
    for (const auto& item : model.named_parameters())
        for (const std::string& name : frozen)
            if (item.key().find(name) != std::string::npos)
                at::Tensor(item.value()).requires_grad_(false);
}

template <typename Region>
Results resultsOf(const config::Configuration& configuration, c10::ScalarType weights, c10::ScalarType type,
    const std::vector<std::string>& frozen = {})
{
    at::manual_seed(67);
    const auto model = buildModel(configuration, onTestDevice(weights));
    const Inputs inputs = makeInputs(configuration, onTestDevice(weights));
    freeze(*model, frozen);
    Results results;
    at::Tensor loss;
    {
        const Region region(type);
        const at::Tensor output = model->forward(inputs);
        loss = output.to(at::kFloat).square().mean();
        results["output"] = output.detach();
    }
    loss.backward();
    for (const auto& item : model->named_parameters())
        results[item.key()] = item.value().grad();
    return results;
}

// Relative to the largest number; nought: the same bits.
bool isWithin(const at::Tensor& value, const at::Tensor& expected, double tolerance)
{
    if (tolerance == 0)
        return sameNumbers(value, expected);
    const double largest = expected.abs().max().item<double>();
    return (value - expected).abs().max().item<double>() <= tolerance * largest;
}

void expectSame(const Results& own, const Results& libTorchs, const std::string& what, double tolerance)
{
    ASSERT_EQ(own.size(), libTorchs.size());
    for (const auto& [name, value] : own) {
        const at::Tensor& expected = libTorchs.at(name);
        ASSERT_EQ(value.defined(), expected.defined()) << what << ' ' << name;
        if (!value.defined())
            continue;
        EXPECT_EQ(value.scalar_type(), expected.scalar_type()) << what << ' ' << name;
        EXPECT_TRUE(isWithin(value, expected, tolerance)) << what << ' ' << name;
    }
}

config::Configuration stackWith(const std::string& activation)
{
    config::Configuration configuration = config::defaultConfiguration("ffn-stack-tiny", "");
    configuration.modelFields["activation_fn"] = activation;
    return configuration;
}

std::vector<config::Configuration> everyFamily()
{
    std::vector<config::Configuration> result;
    for (const char* activation : {"gelu", "geglu", "swiglu", "geglu-approximate"})
        result.push_back(stackWith(activation));
    for (const char* model :
        {"ltx-video-tiny", "flux-tiny", "wan-tiny", "cogvideox-tiny", "llama-tiny", "t5-v1.1-tiny"})
        result.push_back(config::defaultConfiguration(model, ""));
    return result;
}

// Both see the same ops with the same types, so what is computed is the same to the bit; with weights in 16 bits, too.
// CogVideoX's layer norms have weights: in float32 beside an input in 16 bits they are raised where the layer knows of
// no autocast, and one kernel where it does; bfloat16 has 8 bits, and what they round differently passes two blocks.
TEST(AutocastModelsTest, computeWhatLibTorchsOwnAutocastComputesOnTheCpu)
{
    requireValues();
    for (const config::Configuration& model : everyFamily())
        for (const c10::ScalarType type : {at::kBFloat16, at::kHalf})
            for (const c10::ScalarType weights : {at::kFloat, type}) {
                const bool isMixedNorm = model.model == "cogvideox-tiny" && weights == at::kFloat;
                const double tolerance = isMixedNorm ? 0.05 : 0;
                const std::string what = model.model + ", " + c10::toString(weights) + " under " + c10::toString(type);
                expectSame(resultsOf<OwnAutocast>(model, weights, type),
                    resultsOf<tensor::LibTorchsAutocast>(model, weights, type), what, tolerance);
                const std::vector<std::string> frozen{"ff", "to_k", "k_proj", "SelfAttention.k", "net.2"};
                expectSame(resultsOf<OwnAutocast>(model, weights, type, frozen),
                    resultsOf<tensor::LibTorchsAutocast>(model, weights, type, frozen), what + ", partly frozen",
                    tolerance);
            }
}

TEST(AutocastModelsTest, productsRunInTheRegionsTypeAndGradientsInTheWeights)
{
    const auto owned = std::make_shared<Linear>(8, 4, Bias::On, onTestDevice(at::kFloat));
    initialise(*owned);
    const Linear& layer = *owned;
    const at::Tensor input = at::randn({3, 8}, onTestDevice());
    EXPECT_EQ(layer.forward(input).scalar_type(), at::kFloat);
    at::Tensor output;
    {
        const tensor::AutocastRegion region(at::kBFloat16, tensor::autocastListsOf(testDevice()));
        output = layer.forward(input);
        EXPECT_EQ(output.scalar_type(), at::kBFloat16);
        const tensor::AutocastRegion off(std::nullopt, tensor::autocastListsOf(testDevice()));
        EXPECT_EQ(layer.forward(input).scalar_type(), at::kFloat);
    }
    EXPECT_EQ(layer.forward(input).scalar_type(), at::kFloat);
    output.to(at::kFloat).sum().backward();
    EXPECT_EQ(layer.weight.grad().scalar_type(), at::kFloat);
}

TEST(AutocastModelsTest, float64IsLeftAlone)
{
    const auto owned = std::make_shared<Linear>(8, 4, Bias::On, onTestDevice(at::kDouble));
    initialise(*owned);
    const Linear& layer = *owned;
    const tensor::AutocastRegion region(at::kBFloat16, tensor::autocastListsOf(testDevice()));
    EXPECT_EQ(layer.forward(at::randn({3, 8}, onTestDevice(at::kDouble))).scalar_type(), at::kDouble);
    EXPECT_FALSE(tensor::autocastInput(at::Tensor()).defined());
    EXPECT_EQ(tensor::autocastInput(at::ones({2}, onTestDevice(at::kLong))).scalar_type(), at::kLong);
}

TEST(AutocastModelsTest, castsOfTrainedParametersAreKeptUntilTheOutermostRegionEnds)
{
    at::Tensor trained = at::randn({4}, onTestDevice()).requires_grad_();
    const at::Tensor frozen = at::randn({4}, onTestDevice());
    c10::weak_intrusive_ptr<c10::TensorImpl> kept(c10::intrusive_ptr<c10::TensorImpl>{});
    {
        const tensor::AutocastRegion outer(at::kBFloat16, tensor::autocastListsOf(testDevice()));
        {
            const tensor::AutocastRegion inner(at::kBFloat16, tensor::autocastListsOf(testDevice()));
            const at::Tensor cast = tensor::autocastParameter(trained);
            EXPECT_TRUE(tensor::autocastParameter(trained).is_same(cast));
            EXPECT_FALSE(tensor::autocastParameter(frozen).is_same(tensor::autocastParameter(frozen)));
            EXPECT_FALSE(tensor::autocastParameter(trained[0]).is_same(tensor::autocastParameter(trained[0])));
            kept = c10::weak_intrusive_ptr<c10::TensorImpl>(cast.getIntrusivePtr());
        }
        EXPECT_FALSE(kept.expired());
        const tensor::AutocastRegion other(at::kHalf, tensor::autocastListsOf(testDevice()));
        EXPECT_EQ(tensor::autocastParameter(trained).scalar_type(), at::kHalf);
    }
    EXPECT_TRUE(kept.expired());
}

} // namespace
} // namespace headroom::models::autocast_models_test
