// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/FluxBlock.h"

#include "core/config/models/FluxFamily.h"
#include "core/memory/MemoryScopes.h"

namespace headroom::models {
namespace {

constexpr double kFluxNormEps = 1e-6;
constexpr std::int64_t kDoubleVectors = 6;
constexpr std::int64_t kSingleVectors = 3;
// The largest finite number in float16.
constexpr double kLargestHalf = 65504;

FluxAttentionOptions fluxAttentionOptions(const config::ValueMap& fields)
{
    return {.width = config::fluxInnerWidth(fields),
        .heads = fields.at("num_attention_heads").integer(),
        .headDim = fields.at("attention_head_dim").integer(),
        .normEps = kFluxNormEps};
}

FeedForwardOptions fluxFeedForwardOptions(const config::ValueMap& fields)
{
    const std::int64_t width = config::fluxInnerWidth(fields);
    return {.dim = width,
        .dimOut = width,
        .inner = config::kFluxFeedForwardFactor * width,
        .activation = Activation::GeluApproximate};
}

std::shared_ptr<AdaptiveLayerNorm> fluxAdaptiveNorm(
    const config::ValueMap& fields, std::int64_t vectors, const at::TensorOptions& options)
{
    return std::make_shared<AdaptiveLayerNorm>(
        config::fluxInnerWidth(fields), vectors, ModulationOrder::ShiftScale, options);
}

// Only float16 overflows where the other types do not.
at::Tensor clippedHalf(const at::Tensor& tensor)
{
    return tensor.scalar_type() == at::kHalf ? tensor.clip(-kLargestHalf, kLargestHalf) : tensor;
}

} // namespace

at::Tensor FluxStream::forward(
    const at::Tensor& stream, const at::Tensor& attended, FluxStreamVariables& variables) const
{
    variables.gated = variables.attentionGate() * attended;
    at::Tensor result = stream + variables.gated;
    at::Tensor& normed = variables.norm.normed;
    normed = plainLayerNorm(result, kFluxNormEps);
    normed = modulated(normed, variables.norm.others[2], variables.norm.others[1]);
    variables.fed = feedForward->forward(normed);
    return result;
}

FluxDoubleBlock::FluxDoubleBlock(const config::ValueMap& fields, const at::TensorOptions& options)
{
    m_image.norm = register_module("norm1", fluxAdaptiveNorm(fields, kDoubleVectors, options));
    m_text.norm = register_module("norm1_context", fluxAdaptiveNorm(fields, kDoubleVectors, options));
    m_attention = register_module("attn", std::make_shared<FluxJointAttention>(fluxAttentionOptions(fields), options));
    m_image.feedForward = register_module("ff", std::make_shared<FeedForward>(fluxFeedForwardOptions(fields), options));
    m_text.feedForward =
        register_module("ff_context", std::make_shared<FeedForward>(fluxFeedForwardOptions(fields), options));
}

// A tuple holds the attention's results beside the gated ones. Upstream's variable of the image's feed-forward becomes
// the gated one; that of the text's does not.
FluxStreams FluxDoubleBlock::forward(const FluxStreams& streams, const FluxBlockContext& context) const
{
    const tensor::ModuleScope scope(*this);
    FluxStreamVariables image{m_image.norm->forward(streams.image, context.embedding), {}, {}};
    FluxStreamVariables text{m_text.norm->forward(streams.text, context.embedding), {}, {}};
    const FluxStreams attended = m_attention->forward({image.norm.normed, text.norm.normed}, context.rotary);
    FluxStreams result;
    result.image = m_image.forward(streams.image, attended.image, image);
    image.fed = image.feedForwardGate() * image.fed;
    result.image = result.image + image.fed;
    result.text = m_text.forward(streams.text, attended.text, text);
    result.text = clippedHalf(result.text + text.feedForwardGate() * text.fed);
    return result;
}

FluxSingleBlock::FluxSingleBlock(const config::ValueMap& fields, const at::TensorOptions& options)
{
    const std::int64_t width = config::fluxInnerWidth(fields);
    const std::int64_t inner = config::kFluxFeedForwardFactor * width;
    m_norm = register_module("norm", fluxAdaptiveNorm(fields, kSingleVectors, options));
    m_toInner = register_module("proj_mlp", std::make_shared<Linear>(width, inner, Bias::On, options));
    m_toOutput = register_module("proj_out", std::make_shared<Linear>(width + inner, width, Bias::On, options));
    m_attention = register_module("attn", std::make_shared<FluxSingleAttention>(fluxAttentionOptions(fields), options));
}

FluxStreams FluxSingleBlock::forward(const FluxStreams& streams, const FluxBlockContext& context) const
{
    const tensor::ModuleScope scope(*this);
    const std::int64_t textTokens = streams.text.size(1);
    const at::Tensor joint = at::cat({streams.text, streams.image}, 1);
    const AdaptiveNormResult norm = m_norm->forward(joint, context.embedding);
    const at::Tensor inner = at::gelu(m_toInner->forward(norm.normed), "tanh");
    const at::Tensor attended = m_attention->forward(norm.normed, context.rotary);
    at::Tensor result = at::cat({attended, inner}, 2);
    result = norm.others[0].unsqueeze(1) * m_toOutput->forward(result);
    result = clippedHalf(joint + result);
    return {result.slice(1, textTokens), result.slice(1, 0, textTokens)};
}

} // namespace headroom::models
