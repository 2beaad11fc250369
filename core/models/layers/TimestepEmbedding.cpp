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

// The steps and variables of upstream's get_timestep_embedding, its scale of 1 and its second concatenation among them:
// what is asked of the allocator, and in which order, decides which blocks are free later on.
at::Tensor sinusoids(const at::Tensor& timesteps, std::int64_t channels, std::int64_t shift, SinusoidOrder order)
{
    const std::int64_t half = channels / 2;
    at::Tensor exponent = at::arange(half, timesteps.options().dtype(at::kFloat)) * (-std::log(kPeriod));
    exponent = exponent / (half - shift);
    at::Tensor result = exponent.exp();
    result = timesteps.unsqueeze(-1).to(at::kFloat) * result.unsqueeze(0);
    result = result * 1.0;
    result = at::cat({result.sin(), result.cos()}, -1);
    if (order == SinusoidOrder::CosinesFirst)
        result = at::cat({result.slice(-1, half), result.slice(-1, 0, half)}, -1);
    return result;
}

TimestepEmbedding::TimestepEmbedding(std::int64_t in, std::int64_t out, const at::TensorOptions& options)
    : m_first(register_module("linear_1", timestepLinear(in, out, options)))
    , m_second(register_module("linear_2", timestepLinear(out, out, options)))
{
}

at::Tensor TimestepEmbedding::forward(const at::Tensor& sample) const
{
    const tensor::ModuleScope scope(*this);
    at::Tensor hidden = m_first->forward(sample);
    hidden = at::silu(hidden);
    return m_second->forward(hidden);
}

TextProjection::TextProjection(std::int64_t in, std::int64_t out, const at::TensorOptions& options)
    : m_first(register_module("linear_1", timestepLinear(in, out, options)))
    , m_second(register_module("linear_2", timestepLinear(out, out, options)))
{
}

at::Tensor TextProjection::forward(const at::Tensor& caption) const
{
    const tensor::ModuleScope scope(*this);
    at::Tensor hidden = m_first->forward(caption);
    hidden = at::gelu(hidden, "tanh");
    return m_second->forward(hidden);
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
