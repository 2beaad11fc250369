// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/WanBlock.h"

#include "core/config/models/WanFamily.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterStorage.h"

namespace headroom::models {
namespace {

// Both attentions have the same shapes: the text is projected to the width of the model.
AttentionOptions wanAttentionOptions(const config::ValueMap& fields)
{
    const std::int64_t width = config::wanInnerWidth(fields);
    return {.dim = width,
        .contextDim = width,
        .heads = fields.at("num_attention_heads").integer(),
        .headDim = fields.at("attention_head_dim").integer(),
        .normEps = fields.at("eps").real(),
        .rotary = RotaryForm::EachHead};
}

FeedForwardOptions wanFeedForwardOptions(const config::ValueMap& fields)
{
    const std::int64_t width = config::wanInnerWidth(fields);
    return {.dim = width,
        .dimOut = width,
        .inner = fields.at("ffn_dim").integer(),
        .activation = Activation::GeluApproximate};
}

std::shared_ptr<Fp32LayerNorm> wanNorm(const config::ValueMap& fields, Affine affine, const at::TensorOptions& options)
{
    return std::make_shared<Fp32LayerNorm>(config::wanInnerWidth(fields), fields.at("eps").real(), affine, options);
}

// Both are passed by value, so that they are freed as soon as they have been added.
at::Tensor summed(at::Tensor base, at::Tensor step, at::ScalarType type)
{
    const at::Tensor sum = base + step;
    base.reset();
    step.reset();
    return sum.to(type);
}

} // namespace

at::Tensor modulated(
    const Fp32LayerNorm& norm, const at::Tensor& hidden, const at::Tensor& shift, const at::Tensor& scale)
{
    at::Tensor result = norm.forward(atLeastFloat32(hidden));
    result = result * (1 + scale);
    result = result + shift;
    return result.to(hidden.scalar_type());
}

WanBlock::WanBlock(const config::ValueMap& fields, const at::TensorOptions& options, const at::TensorOptions& wide)
    : m_table(register_parameter("scale_shift_table",
          tensor::emptyParameter({1, config::kWanModulations, config::wanInnerWidth(fields)}, wide)))
    , m_norm1(register_module("norm1", wanNorm(fields, Affine::Off, wide)))
    , m_selfAttention(register_module("attn1", std::make_shared<Attention>(wanAttentionOptions(fields), options)))
    , m_textAttention(register_module("attn2", std::make_shared<Attention>(wanAttentionOptions(fields), options)))
{
    if (fields.at("cross_attn_norm").boolean())
        m_norm2 = register_module("norm2", wanNorm(fields, Affine::On, wide));
    m_feedForward = register_module("ffn", std::make_shared<FeedForward>(wanFeedForwardOptions(fields), options));
    m_norm3 = register_module("norm3", wanNorm(fields, Affine::Off, wide));
}

// Order of the table's rows: shift, scale and gate of the self-attention, then of the feed-forward. The statements keep
// the same tensors alive as upstream's, and make them in its order: the left operand of a sum is raised before the
// right one is computed, which shows where a recomputation stops between the two.
at::Tensor WanBlock::forward(at::Tensor hidden, const WanBlockContext& context) const
{
    const tensor::ModuleScope scope(*this);
    const at::ScalarType type = hidden.scalar_type();
    const auto rows = (m_table + atLeastFloat32(context.modulation)).unbind(-2);
    const auto row = [&](std::size_t index) {
        return context.modulation.dim() == 3 ? rows[index].unsqueeze(1) : rows[index];
    };
    at::Tensor normed = modulated(*m_norm1, hidden, row(0), row(1));
    at::Tensor attended = m_selfAttention->forward(normed, normed, context.rotary, {});
    at::Tensor base = atLeastFloat32(hidden);
    hidden = summed(std::move(base), attended * row(2), type);
    normed = textNormed(hidden);
    attended = m_textAttention->forward(normed, context.text, {}, {});
    hidden = hidden + attended;
    normed = modulated(*m_norm3, hidden, row(3), row(4));
    const at::Tensor fed = m_feedForward->forward(normed);
    base = atLeastFloat32(hidden);
    at::Tensor step = atLeastFloat32(fed);
    step = step * row(5);
    return summed(std::move(base), std::move(step), type);
}

at::Tensor WanBlock::textNormed(const at::Tensor& hidden) const
{
    at::Tensor wide = atLeastFloat32(hidden);
    if (m_norm2)
        wide = m_norm2->forward(wide);
    return wide.to(hidden.scalar_type());
}

void WanBlock::initialise()
{
    initialiseTable(m_table);
}

} // namespace headroom::models
