// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/WanConditionEmbedding.h"

#include "core/config/models/WanFamily.h"
#include "core/memory/MemoryScopes.h"

namespace headroom::models {

WanConditionEmbedding::WanConditionEmbedding(
    const config::ValueMap& fields, const at::TensorOptions& options, const at::TensorOptions& wide)
    : m_channels(fields.at("freq_dim").integer())
{
    const std::int64_t width = config::wanInnerWidth(fields);
    m_timeEmbedder = register_module("time_embedder", std::make_shared<TimestepEmbedding>(m_channels, width, wide));
    m_timeProjection = register_module(
        "time_proj", std::make_shared<Linear>(width, config::kWanModulations * width, Bias::On, options));
    m_textEmbedder = register_module(
        "text_embedder", std::make_shared<TextProjection>(fields.at("text_dim").integer(), width, options));
}

WanCondition WanConditionEmbedding::forward(const at::Tensor& timestep, const at::Tensor& text) const
{
    const tensor::ModuleScope scope(*this);
    WanCondition condition;
    const at::Tensor waves = wavesOf(timestep); // a variable of upstream's forward
    condition.embedded = m_timeEmbedder->forward(waves).to(text.scalar_type());
    condition.modulation =
        m_timeProjection->forward(at::silu(condition.embedded)).unflatten(-1, {config::kWanModulations, -1});
    condition.text = m_textEmbedder->forward(text);
    return condition;
}

// In the current type of the time embedder's weights: a technique may have upcast them.
at::Tensor WanConditionEmbedding::wavesOf(const at::Tensor& timestep) const
{
    const at::ScalarType own = m_timeEmbedder->parameters().front().scalar_type();
    at::Tensor values = sinusoids(timestep.flatten(), m_channels);
    if (timestep.dim() == 2)
        values = values.unflatten(0, timestep.sizes());
    return values.to(own);
}

} // namespace headroom::models
