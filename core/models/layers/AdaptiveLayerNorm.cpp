// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/AdaptiveLayerNorm.h"

#include "core/memory/MemoryScopes.h"

namespace headroom::models {
namespace {

constexpr double kEps = 1e-6;

} // namespace

at::Tensor scaledAndShifted(at::Tensor x, const at::Tensor& scale, const at::Tensor& shift)
{
    x = x * (1 + scale);
    return x + shift;
}

at::Tensor modulated(at::Tensor x, const at::Tensor& scale, const at::Tensor& shift)
{
    return scaledAndShifted(std::move(x), scale.unsqueeze(1), shift.unsqueeze(1));
}

at::Tensor plainLayerNorm(const at::Tensor& x, double eps)
{
    return at::layer_norm(x, {x.size(-1)}, {}, {}, eps);
}

AdaptiveLayerNorm::AdaptiveLayerNorm(
    std::int64_t width, std::int64_t vectors, ModulationOrder order, const at::TensorOptions& options)
    : m_vectors(vectors)
    , m_order(order)
    , m_linear(register_module("linear", std::make_shared<Linear>(width, vectors * width, Bias::On, options)))
{
}

AdaptiveNormResult AdaptiveLayerNorm::forward(const at::Tensor& x, const at::Tensor& embedding) const
{
    const tensor::ModuleScope scope(*this);
    std::vector<at::Tensor> vectors = m_linear->forward(at::silu(embedding)).chunk(m_vectors, 1);
    const auto [shift, scale] = m_order == ModulationOrder::ShiftScale ? std::pair(0U, 1U) : std::pair(1U, 0U);
    at::Tensor result = modulated(plainLayerNorm(x, kEps), vectors[scale], vectors[shift]);
    return {std::move(result), {vectors.begin() + 2, vectors.end()}};
}

} // namespace headroom::models
