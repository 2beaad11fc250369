// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/Fp32LayerNorm.h"

#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

namespace headroom::models {
namespace {

constexpr std::int64_t kWidth = 24;
constexpr double kEps = 1e-6;

Fp32LayerNorm makeNorm(Affine affine, at::ScalarType type)
{
    const torch::NoGradGuard noGradients;
    Fp32LayerNorm norm(kWidth, kEps, affine, onTestDevice(type));
    norm.initialise();
    if (norm.weight.defined()) {
        norm.weight.uniform_(0.5, 1.5);
        norm.bias.uniform_(-1, 1);
    }
    return norm;
}

at::Tensor formula(const at::Tensor& x, const Fp32LayerNorm& norm)
{
    const at::Tensor centred = x - x.mean({-1}, true);
    const at::Tensor result = centred / (centred.square().mean({-1}, true) + kEps).sqrt();
    return norm.weight.defined() ? result * norm.weight.to(x.scalar_type()) + norm.bias.to(x.scalar_type()) : result;
}

// Rounded once, at the end: exactly what float32 gives, whatever the types of input and weights.
TEST(Fp32LayerNormTest, reducedTypesAreNormalisedInFloat32)
{
    requireValues();
    at::manual_seed(9);
    const torch::NoGradGuard noGradients;
    for (const Affine affine : {Affine::Off, Affine::On})
        for (const at::ScalarType weights : {at::kFloat, at::kBFloat16}) {
            const Fp32LayerNorm norm = makeNorm(affine, weights);
            const at::Tensor input = at::randn({5, kWidth}, onTestDevice()).to(at::kBFloat16);
            const at::Tensor wide = norm.forward(input.to(at::kFloat));
            EXPECT_EQ(wide.scalar_type(), at::kFloat);
            EXPECT_TRUE(sameNumbers(norm.forward(input), wide.to(at::kBFloat16)));
            EXPECT_TRUE(closeNumbers(wide, formula(input.to(at::kFloat), norm), 1e-5, 1e-5));
        }
}

TEST(Fp32LayerNormTest, float64StaysFloat64)
{
    requireValues();
    at::manual_seed(9);
    const torch::NoGradGuard noGradients;
    const Fp32LayerNorm norm = makeNorm(Affine::On, at::kDouble);
    const at::Tensor input = at::randn({5, kWidth}, onTestDevice(at::kDouble));
    EXPECT_TRUE(closeNumbers(norm.forward(input), formula(input, norm), 1e-12, 1e-12));
}

} // namespace
} // namespace headroom::models
