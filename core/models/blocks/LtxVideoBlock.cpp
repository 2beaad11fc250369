// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/LtxVideoBlock.h"

#include "core/config/models/LtxVideoFamily.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterStorage.h"
#include "core/models/layers/AdaptiveLayerNorm.h"

namespace headroom::models {
namespace {

Bias ltxBiasOf(const config::ValueMap& fields, const char* name)
{
    return fields.at(name).boolean() ? Bias::On : Bias::Off;
}

// The projected text is as wide as the model, so both attentions have the same shapes.
AttentionOptions ltxAttentionOptions(const config::ValueMap& fields)
{
    const std::int64_t width = config::ltxInnerWidth(fields);
    return {.dim = width,
        .contextDim = width,
        .heads = fields.at("num_attention_heads").integer(),
        .headDim = fields.at("attention_head_dim").integer(),
        .bias = ltxBiasOf(fields, "attention_bias"),
        .outputBias = ltxBiasOf(fields, "attention_out_bias")};
}

FeedForwardOptions ltxFeedForwardOptions(const config::ValueMap& fields)
{
    const std::int64_t width = config::ltxInnerWidth(fields);
    return {.dim = width,
        .dimOut = width,
        .inner = 4 * width,
        .activation = activationFromName(fields.at("activation_fn").text())};
}

std::shared_ptr<RmsNorm> ltxNorm(const config::ValueMap& fields, const at::TensorOptions& options)
{
    return std::make_shared<RmsNorm>(config::ltxInnerWidth(fields), fields.at("norm_eps").real(),
        fields.at("norm_elementwise_affine").boolean() ? Affine::On : Affine::Off, RmsNormForm::Chain, options);
}

constexpr std::int64_t kTableRows = 6;

} // namespace

LtxVideoBlock::LtxVideoBlock(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_table(register_parameter(
          "scale_shift_table", tensor::emptyParameter({kTableRows, config::ltxInnerWidth(fields)}, options)))
    , m_norm1(register_module("norm1", ltxNorm(fields, options)))
    , m_selfAttention(register_module("attn1", std::make_shared<Attention>(ltxAttentionOptions(fields), options)))
    , m_norm2(register_module("norm2", ltxNorm(fields, options)))
    , m_textAttention(register_module("attn2", std::make_shared<Attention>(ltxAttentionOptions(fields), options)))
    , m_feedForward(register_module("ff", std::make_shared<FeedForward>(ltxFeedForwardOptions(fields), options)))
{
}

// Order of the table's rows: shift, scale and gate of the self-attention, then of the feed-forward.
at::Tensor LtxVideoBlock::forward(const at::Tensor& hidden, const LtxBlockContext& context) const
{
    const tensor::ModuleScope scope(*this);
    at::Tensor normed = m_norm1->forward(hidden);
    const at::Tensor modulation = context.modulation.unflatten(-1, {kTableRows, -1});
    const auto rows = (m_table.unsqueeze(0).unsqueeze(0) + modulation).unbind(2);
    normed = scaledAndShifted(normed, rows[1], rows[0]);
    at::Tensor attended = m_selfAttention->forward(normed, normed, context.rotary, {});
    at::Tensor result = hidden + attended * rows[2];
    attended = m_textAttention->forward(result, context.text, {}, context.mask);
    result = result + attended;
    normed = scaledAndShifted(m_norm2->forward(result), rows[4], rows[3]);
    return result + m_feedForward->forward(normed) * rows[5];
}

void LtxVideoBlock::initialise()
{
    initialiseTable(m_table);
}

} // namespace headroom::models
