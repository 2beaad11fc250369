// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/CogVideoXBlock.h"

#include "core/config/models/CogVideoXFamily.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/layers/AdaptiveLayerNorm.h"

namespace headroom::models {
namespace {

constexpr std::int64_t kVectors = 6;

FeedForwardOptions cogVideoXFeedForwardOptions(const config::ValueMap& fields)
{
    const std::int64_t width = config::cogVideoXInnerWidth(fields);
    return {.dim = width,
        .dimOut = width,
        .inner = config::kCogVideoXFeedForwardFactor * width,
        .activation = activationFromName(fields.at("activation_fn").text()),
        .dropout = fields.at("dropout").real()};
}

CogVideoXStreams gatedSum(const CogVideoXStreams& streams, const CogVideoXStreams& gates, const CogVideoXStreams& added)
{
    CogVideoXStreams sum;
    sum.video = streams.video + gates.video * added.video;
    sum.text = streams.text + gates.text * added.text;
    return sum;
}

} // namespace

CogVideoXNorm::CogVideoXNorm(const config::ValueMap& fields, const at::TensorOptions& options)
{
    const std::int64_t width = config::cogVideoXInnerWidth(fields);
    const Affine affine = fields.at("norm_elementwise_affine").boolean() ? Affine::On : Affine::Off;
    m_linear = register_module(
        "linear", std::make_shared<Linear>(fields.at("time_embed_dim").integer(), kVectors * width, Bias::On, options));
    m_norm = register_module("norm", std::make_shared<LayerNorm>(width, fields.at("norm_eps").real(), affine, options));
}

// Order of the vectors: shift, scale and gate of the video, then of the text.
CogVideoXNorm::Result CogVideoXNorm::forward(const CogVideoXStreams& streams, const at::Tensor& embedding) const
{
    const tensor::ModuleScope scope(*this);
    const auto vectors = m_linear->forward(at::silu(embedding)).chunk(kVectors, 1);
    Result result;
    result.normed.video = modulated(m_norm->forward(streams.video), vectors[1], vectors[0]);
    result.normed.text = modulated(m_norm->forward(streams.text), vectors[4], vectors[3]);
    result.gates = {vectors[2].unsqueeze(1), vectors[5].unsqueeze(1)};
    return result;
}

CogVideoXBlock::CogVideoXBlock(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_dropout(fields.at("dropout").real())
    , m_norm1(register_module("norm1", std::make_shared<CogVideoXNorm>(fields, options)))
    , m_attention(register_module("attn1", std::make_shared<CogVideoXAttention>(fields, options)))
    , m_norm2(register_module("norm2", std::make_shared<CogVideoXNorm>(fields, options)))
    , m_feedForward(register_module("ff", std::make_shared<FeedForward>(cogVideoXFeedForwardOptions(fields), options)))
{
}

// Both norms' gates, the second norm's results and the attention's stay alive, as upstream's variables of them do, and
// so does the feed-forward's input until the block ends.
CogVideoXStreams CogVideoXBlock::forward(const CogVideoXStreams& streams, const CogVideoXContext& context) const
{
    const tensor::ModuleScope scope(*this);
    const std::int64_t textTokens = streams.text.size(1);
    CogVideoXNorm::Result norm = m_norm1->forward(streams, context.embedding);
    const CogVideoXStreams gates = norm.gates;
    const CogVideoXStreams attended = m_attention->forward(norm.normed, context.rotary);
    CogVideoXStreams result = gatedSum(streams, gates, attended);
    norm = m_norm2->forward(result, context.embedding);
    const at::Tensor output = fedForward(norm.normed);
    // Each part is taken where it is added: in the backward pass its gradient becomes one of the whole output there.
    result.video = result.video + norm.gates.video * output.slice(1, textTokens);
    result.text = result.text + norm.gates.text * output.slice(1, 0, textTokens);
    return result;
}

// The video's norm is freed once it is concatenated with the text's: both have its place from then on.
at::Tensor CogVideoXBlock::fedForward(CogVideoXStreams& normed) const
{
    normed.video = at::cat({normed.text, normed.video}, 1);
    return at::dropout(m_feedForward->forward(normed.video), m_dropout, is_training());
}

} // namespace headroom::models
