// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/LayerAutocast.h"

#include "core/config/Catalogue.h"
#include "core/models/ModelZoo.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

namespace headroom::models {
namespace {

/// LibTorch's own autocast on the CPU, while it lives.
class LibTorchsAutocast {
public:
    explicit LibTorchsAutocast(c10::ScalarType type)
    {
        at::autocast::set_autocast_dtype(at::kCPU, type);
        at::autocast::set_autocast_enabled(at::kCPU, true);
        at::autocast::increment_nesting();
    }
    ~LibTorchsAutocast()
    {
        at::autocast::decrement_nesting();
        at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(at::kCPU, false);
    }
};

/// Output and gradients of one forward and backward in float32 weights.
using Results = std::map<std::string, at::Tensor>;

template <typename Region>
Results resultsOf(
    const config::Configuration& configuration, c10::ScalarType type, const std::vector<std::string>& frozen = {})
{
    at::manual_seed(67);
    const auto model = buildModel(configuration, at::kFloat);
    const Inputs inputs = makeInputs(configuration, at::kFloat);
    for (const auto& item : model->named_parameters())
        for (const std::string& name : frozen)
            if (item.key().find(name) != std::string::npos)
                at::Tensor(item.value()).requires_grad_(false);
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

void expectSame(const Results& own, const Results& libTorchs, const std::string& what)
{
    ASSERT_EQ(own.size(), libTorchs.size());
    for (const auto& [name, value] : own) {
        const at::Tensor& expected = libTorchs.at(name);
        ASSERT_EQ(value.defined(), expected.defined()) << what << ' ' << name;
        if (!value.defined())
            continue;
        EXPECT_EQ(value.scalar_type(), expected.scalar_type()) << what << ' ' << name;
        EXPECT_TRUE(at::equal(value, expected)) << what << ' ' << name;
    }
}

config::Configuration stackWith(const std::string& activation)
{
    config::Configuration configuration = config::defaultConfiguration("ffn-stack-tiny", "");
    configuration.modelFields["activation_fn"] = activation;
    return configuration;
}

// LibTorch's list of ops that it casts on the CPU meets ours in linear and attention; everything between them sees the
// same types, so what is computed is the same to the bit.
TEST(LayerAutocastTest, computesWhatLibTorchsOwnAutocastComputesOnTheCpu)
{
    for (const c10::ScalarType type : {at::kBFloat16, at::kHalf}) {
        for (const char* activation : {"gelu", "geglu", "swiglu", "geglu-approximate"})
            expectSame(resultsOf<tensor::LayerAutocast>(stackWith(activation), type),
                resultsOf<LibTorchsAutocast>(stackWith(activation), type), activation);
        const config::Configuration video = config::defaultConfiguration("ltx-video-tiny", "");
        expectSame(resultsOf<tensor::LayerAutocast>(video, type), resultsOf<LibTorchsAutocast>(video, type), "ltx");
        expectSame(resultsOf<tensor::LayerAutocast>(video, type, {"ff.net", "to_k"}),
            resultsOf<LibTorchsAutocast>(video, type, {"ff.net", "to_k"}), "ltx, partly frozen");
        const config::Configuration text = config::defaultConfiguration("llama-tiny", "");
        expectSame(resultsOf<tensor::LayerAutocast>(text, type), resultsOf<LibTorchsAutocast>(text, type), "llama");
        const config::Configuration encoder = config::defaultConfiguration("t5-v1.1-tiny", "");
        expectSame(resultsOf<tensor::LayerAutocast>(encoder, type), resultsOf<LibTorchsAutocast>(encoder, type), "t5");
    }
}

TEST(LayerAutocastTest, productsRunInTheRegionsTypeAndGradientsInTheWeights)
{
    const auto owned = std::make_shared<Linear>(8, 4, Bias::On, at::kFloat);
    initialise(*owned);
    const Linear& layer = *owned;
    const at::Tensor input = at::randn({3, 8});
    EXPECT_EQ(layer.forward(input).scalar_type(), at::kFloat);
    at::Tensor output;
    {
        const tensor::LayerAutocast region(at::kBFloat16);
        output = layer.forward(input);
        EXPECT_EQ(output.scalar_type(), at::kBFloat16);
        const tensor::LayerAutocast off(std::nullopt);
        EXPECT_EQ(layer.forward(input).scalar_type(), at::kFloat);
    }
    EXPECT_EQ(layer.forward(input).scalar_type(), at::kFloat);
    output.to(at::kFloat).sum().backward();
    EXPECT_EQ(layer.weight.grad().scalar_type(), at::kFloat);
}

TEST(LayerAutocastTest, float64IsLeftAlone)
{
    const auto owned = std::make_shared<Linear>(8, 4, Bias::On, at::kDouble);
    initialise(*owned);
    const Linear& layer = *owned;
    const tensor::LayerAutocast region(at::kBFloat16);
    EXPECT_EQ(layer.forward(at::randn({3, 8}, at::kDouble)).scalar_type(), at::kDouble);
    EXPECT_FALSE(tensor::autocastInput(at::Tensor()).defined());
    EXPECT_EQ(tensor::autocastInput(at::ones({2}, at::kLong)).scalar_type(), at::kLong);
}

TEST(LayerAutocastTest, castsOfTrainedParametersAreKeptUntilTheOutermostRegionEnds)
{
    at::Tensor trained = at::randn({4}).requires_grad_();
    const at::Tensor frozen = at::randn({4});
    c10::weak_intrusive_ptr<c10::TensorImpl> kept(c10::intrusive_ptr<c10::TensorImpl>{});
    {
        const tensor::LayerAutocast outer(at::kBFloat16);
        {
            const tensor::LayerAutocast inner(at::kBFloat16);
            const at::Tensor cast = tensor::autocastParameter(trained);
            EXPECT_TRUE(tensor::autocastParameter(trained).is_same(cast));
            EXPECT_FALSE(tensor::autocastParameter(frozen).is_same(tensor::autocastParameter(frozen)));
            EXPECT_FALSE(tensor::autocastParameter(trained[0]).is_same(tensor::autocastParameter(trained[0])));
            kept = c10::weak_intrusive_ptr<c10::TensorImpl>(cast.getIntrusivePtr());
        }
        EXPECT_FALSE(kept.expired());
        const tensor::LayerAutocast other(at::kHalf);
        EXPECT_EQ(tensor::autocastParameter(trained).scalar_type(), at::kHalf);
    }
    EXPECT_TRUE(kept.expired());
}

} // namespace
} // namespace headroom::models
