// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/TimestepEmbedding.h"

#include "core/memory/MemoryScopes.h"
#include "core/models/layers/Container.h"

#include <cmath>

namespace headroom::models {
namespace {

const double kPeriod = 10000.0;

std::shared_ptr<Linear> timestepLinear(std::int64_t in, std::int64_t out, const at::TensorOptions& options)
{
    return std::make_shared<Linear>(in, out, Bias::On, options);
}

} // namespace

at::Tensor sinusoids(const at::Tensor& timesteps, std::int64_t channels, std::int64_t shift)
{
    const std::int64_t half = channels / 2;
    const auto options = timesteps.options().dtype(at::kFloat);
    const at::Tensor exponent = at::arange(half, options) * (-std::log(kPeriod)) / (half - shift);
    const at::Tensor angles = timesteps.unsqueeze(-1).to(at::kFloat) * exponent.exp().unsqueeze(0);
    return at::cat({angles.cos(), angles.sin()}, -1);
}

TimestepEmbedding::TimestepEmbedding(std::int64_t in, std::int64_t out, const at::TensorOptions& options)
    : m_first(register_module("linear_1", timestepLinear(in, out, options)))
    , m_second(register_module("linear_2", timestepLinear(out, out, options)))
{
}

at::Tensor TimestepEmbedding::forward(const at::Tensor& sample) const
{
    const tensor::ModuleScope scope(*this);
    return m_second->forward(at::silu(m_first->forward(sample)));
}

TextProjection::TextProjection(std::int64_t in, std::int64_t out, const at::TensorOptions& options)
    : m_first(register_module("linear_1", timestepLinear(in, out, options)))
    , m_second(register_module("linear_2", timestepLinear(out, out, options)))
{
}

at::Tensor TextProjection::forward(const at::Tensor& caption) const
{
    const tensor::ModuleScope scope(*this);
    return m_second->forward(at::gelu(m_first->forward(caption), "tanh"));
}

AdaptiveNormSource::AdaptiveNormSource(
    std::int64_t channels, std::int64_t width, std::int64_t parameters, const at::TensorOptions& options)
    : m_channels(channels)
{
    const auto embedding = register_module("emb", std::make_shared<Container>());
    m_embedding =
        embedding->register_module("timestep_embedder", std::make_shared<TimestepEmbedding>(channels, width, options));
    m_linear = register_module("linear", timestepLinear(width, parameters * width, options));
}

TimestepModulation AdaptiveNormSource::forward(const at::Tensor& timesteps, at::ScalarType dtype) const
{
    const tensor::ModuleScope scope(*this);
    const at::Tensor embedded = m_embedding->forward(sinusoids(timesteps, m_channels).to(dtype));
    return {m_linear->forward(at::silu(embedded)), embedded};
}

} // namespace headroom::models
