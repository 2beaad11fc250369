// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/T5Block.h"

#include "core/memory/MemoryScopes.h"
#include "core/models/layers/Container.h"

#include <cmath>

namespace headroom::models {
namespace {

double factorOver(const config::ValueMap& fields, std::int64_t width)
{
    return fields.at("initializer_factor").real() / std::sqrt(static_cast<double>(width));
}

// In a float16 model upstream keeps the output in float32 (_keep_in_fp32_modules), and with it the hidden states after
// it. Under autocast, too, the inner activation is converted to the output's type before it is cast again.
at::ScalarType outputType(const config::ValueMap& fields, const at::TensorOptions& options)
{
    const bool isKept = fields.at("keep_in_fp32_modules").boolean() && options.dtype() == at::kHalf;
    return isKept ? at::kFloat : options.dtype().toScalarType();
}

FeedForwardOptions t5FeedForwardOptions(const config::ValueMap& fields, const at::TensorOptions& options)
{
    const std::int64_t width = fields.at("d_model").integer();
    return {.dim = width,
        .dimOut = width,
        .inner = fields.at("d_ff").integer(),
        .activation = Activation::GegluTanh,
        .dropout = fields.at("dropout_rate").real(),
        .bias = Bias::Off,
        .separateGate = SeparateGate{"wi_0", "wi_1", "wo", SeparateGate::Factors::Held},
        .outputType = outputType(fields, options)};
}

// The initial weights of each Linear scale with 1 / sqrt(its input's width).
std::shared_ptr<FeedForward> makeFeedForward(const config::ValueMap& fields, const at::TensorOptions& options)
{
    const auto layer = std::make_shared<FeedForward>(t5FeedForwardOptions(fields, options), options);
    for (const auto& child : layer->children())
        if (auto* linear = dynamic_cast<Linear*>(child.get()))
            linear->startNormal(factorOver(fields, linear->weight.size(1)));
    return layer;
}

// What upstream does for training in float16 after each half of a block: infinities become large numbers. It looks for
// them by isinf, whose abs has no kernel on meta; the difference takes as many bytes and is 0 for finite numbers alone.
at::Tensor withoutInfinities(const at::Tensor& hidden)
{
    if (hidden.scalar_type() != at::kHalf)
        return hidden;
    constexpr double kLargest = 65504; // of float16
    const at::Tensor bound = at::where((hidden - hidden).ne(0).any(), kLargest - 1000, kLargest);
    return at::clamp(hidden, bound.neg(), bound);
}

} // namespace

// Keeps upstream's order of operations, which decides where a bucket ends, and its variables, which decide what is in
// memory at once: [queries, keys] of 8 bytes each are the peak of a short model's inference.
at::Tensor relativePositionBuckets(const at::Tensor& relative, std::int64_t buckets, std::int64_t farthest)
{
    const std::int64_t half = buckets / 2;
    const std::int64_t single = half / 2;
    const double widening = std::log(static_cast<double>(farthest) / static_cast<double>(single));
    at::Tensor found = (relative > 0).to(at::kLong);
    found = found * half;
    found = found + 0;
    at::Tensor distance = relative.neg();
    at::maximum_out(distance, relative, distance); // abs has no kernel on meta
    const at::Tensor isSingle = distance < single;
    at::Tensor wide = distance.to(at::kFloat);
    wide = wide / single;
    wide = at::log(wide);
    wide = wide / widening;
    wide = wide * (half - single);
    // The logarithm of distance 0 is -inf, which has no integer; that distance has its own bucket anyway.
    wide.clamp_min_(0);
    wide = wide.to(at::kLong);
    wide = wide + single;
    wide = at::minimum(wide, at::full_like(wide, half - 1));
    found += at::where(isSingle, distance, wide);
    return found;
}

T5Attention::T5Attention(const config::ValueMap& fields, PositionTable table, const at::TensorOptions& options)
    : m_headDim(fields.at("d_kv").integer())
    , m_farthest(fields.at("relative_attention_max_distance").integer())
    , m_dropout(fields.at("dropout_rate").real())
{
    const std::int64_t width = fields.at("d_model").integer();
    const std::int64_t heads = fields.at("num_heads").integer();
    const std::int64_t inner = heads * m_headDim;
    const auto projection = [&](const char* name, std::int64_t in, std::int64_t out, std::int64_t scaledBy) {
        const auto linear = register_module(name, std::make_shared<Linear>(in, out, Bias::Off, options));
        linear->startNormal(factorOver(fields, scaledBy));
        return linear;
    };
    m_query =
        projection("q", width, inner, width * m_headDim); // attention has no scale, so the initial weights contain it
    m_key = projection("k", width, inner, width);
    m_value = projection("v", width, inner, width);
    m_output = projection("o", inner, width, inner);
    if (table == PositionTable::Own)
        m_positions = register_module("relative_attention_bias",
            std::make_shared<Embedding>(
                fields.at("relative_attention_num_buckets").integer(), heads, factorOver(fields, width), options));
}

// Where the table is between forwards says nothing: it may be on the host.
at::Tensor T5Attention::positionBias(std::int64_t tokens, const c10::Device& device) const
{
    const at::Tensor queries = at::arange(tokens, at::TensorOptions(at::kLong).device(device)).unsqueeze(1) + 0;
    const at::Tensor keys = at::arange(tokens, queries.options()).unsqueeze(0);
    const at::Tensor relative = keys - queries;
    const at::Tensor buckets = relativePositionBuckets(relative, m_positions->weight.size(0), m_farthest);
    return m_positions->forward(buckets).permute({2, 0, 1}).unsqueeze(0);
}

at::Tensor T5Attention::maskedBias(const at::Tensor& hidden, const at::Tensor& mask) const
{
    const at::Tensor bias = positionBias(hidden.size(1), hidden.device());
    return mask.defined() ? bias + mask : bias;
}

at::Tensor T5Attention::heads(const Linear& projection, const at::Tensor& hidden) const
{
    return projection.forward(hidden).unflatten(2, {-1, m_headDim}).transpose(1, 2);
}

// The bias is made dense in each layer, which transformers 5.24 does for kernels that want dense rows; the copy goes
// once the heads are merged.
at::Tensor T5Attention::mergedHeads(AttentionInputs inputs) const
{
    inputs.mask = inputs.mask.contiguous();
    const at::Tensor attended = attend(inputs);
    return attended.transpose(1, 2).flatten(2);
}

BiasedStates T5Attention::forward(const at::Tensor& hidden, const at::Tensor& given, const at::Tensor& mask) const
{
    const tensor::ModuleScope scope(*this);
    const at::Tensor query = heads(*m_query, hidden);
    const at::Tensor key = heads(*m_key, hidden);
    const at::Tensor value = heads(*m_value, hidden);
    const at::Tensor bias = given.defined() ? given : maskedBias(hidden, mask);
    const at::Tensor attended = mergedHeads({.query = query,
        .key = key,
        .value = value,
        .mask = bias,
        .scale = 1.0,
        .dropout = is_training() ? m_dropout : 0});
    return {m_output->forward(attended), bias};
}

T5Block::T5Block(const config::ValueMap& fields, T5Attention::PositionTable table, const at::TensorOptions& options)
    : m_dropout(fields.at("dropout_rate").real())
{
    const auto layers = register_module("layer", std::make_shared<Container>());
    const auto first = layers->register_module("0", std::make_shared<Container>());
    m_attention = first->register_module("SelfAttention", std::make_shared<T5Attention>(fields, table, options));
    m_attentionNorm = first->register_module("layer_norm", t5Norm(fields, options));
    const auto second = layers->register_module("1", std::make_shared<Container>());
    m_feedForward = second->register_module("DenseReluDense", makeFeedForward(fields, options));
    m_feedForwardNorm = second->register_module("layer_norm", t5Norm(fields, options));
}

std::vector<at::Tensor> T5Block::forward(const at::Tensor& hidden, const at::Tensor& bias, const at::Tensor& mask) const
{
    const tensor::ModuleScope scope(*this);
    const BiasedStates states = attended(hidden, bias, mask);
    if (bias.defined())
        return {fed(states.hidden)};
    return {fed(states.hidden), states.bias};
}

// The normalised states are a variable of their own here, and are there until the sum is.
BiasedStates T5Block::attended(const at::Tensor& hidden, const at::Tensor& bias, const at::Tensor& mask) const
{
    const at::Tensor normed = m_attentionNorm->forward(hidden);
    const BiasedStates branch = m_attention->forward(normed, bias, mask);
    return {withoutInfinities(hidden + at::dropout(branch.hidden, m_dropout, is_training())), branch.bias};
}

// Here they are not: what the feed-forward makes takes their name.
at::Tensor T5Block::fed(const at::Tensor& hidden) const
{
    at::Tensor branch = m_feedForwardNorm->forward(hidden);
    branch = m_feedForward->forward(branch);
    return withoutInfinities(hidden + at::dropout(branch, m_dropout, is_training()));
}

std::shared_ptr<RmsNorm> t5Norm(const config::ValueMap& fields, const at::TensorOptions& options)
{
    return std::make_shared<RmsNorm>(fields.at("d_model").integer(), fields.at("layer_norm_epsilon").real(), Affine::On,
        RmsNormForm::WeightFirst, options);
}

} // namespace headroom::models
