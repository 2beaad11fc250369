// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/CogVideoXAttention.h"

#include "core/config/models/CogVideoXFamily.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/layers/Container.h"

namespace headroom::models {
namespace {

constexpr double kCogVideoXNormEps = 1e-6;

// In place, as upstream does; nothing else uses the norm's result.
void turnVideo(at::Tensor& heads, std::int64_t textTokens, const RotaryTables& rotary)
{
    if (rotary.defined())
        heads.slice(2, textTokens).copy_(applyRotary(heads.slice(2, textTokens), rotary));
}

} // namespace

CogVideoXAttention::CogVideoXAttention(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_headDim(fields.at("attention_head_dim").integer())
{
    const std::int64_t width = config::cogVideoXInnerWidth(fields);
    const auto norm = [&](const char* name) {
        return register_module(name, std::make_shared<LayerNorm>(m_headDim, kCogVideoXNormEps, Affine::On, options));
    };
    const auto linear = [&](Bias bias) { return std::make_shared<Linear>(width, width, bias, options); };
    const Bias bias = fields.at("attention_bias").boolean() ? Bias::On : Bias::Off;
    m_normQuery = norm("norm_q");
    m_normKey = norm("norm_k");
    m_toQuery = register_module("to_q", linear(bias));
    m_toKey = register_module("to_k", linear(bias));
    m_toValue = register_module("to_v", linear(bias));
    m_toOutput = register_module("to_out", std::make_shared<Container>())->register_module("0", linear(Bias::On));
}

at::Tensor CogVideoXAttention::heads(const at::Tensor& projected) const
{
    return projected.unflatten(2, {-1, m_headDim}).transpose(1, 2);
}

CogVideoXStreams CogVideoXAttention::forward(const CogVideoXStreams& streams, const RotaryTables& rotary) const
{
    const tensor::ModuleScope scope(*this);
    const std::int64_t textTokens = streams.text.size(1);
    at::Tensor tokens = at::cat({streams.text, streams.video}, 1);
    at::Tensor query = m_toQuery->forward(tokens);
    at::Tensor key = m_toKey->forward(tokens);
    at::Tensor value = m_toValue->forward(tokens);
    query = heads(query);
    key = heads(key);
    value = heads(value);
    query = m_normQuery->forward(query);
    key = m_normKey->forward(key);
    turnVideo(query, textTokens, rotary);
    turnVideo(key, textTokens, rotary);
    tokens = attend({query, key, value});
    tokens = tokens.transpose(1, 2).flatten(2); // a copy after some kernels, and then what was attended is freed
    tokens = m_toOutput->forward(tokens);
    // One split, so that its gradient is put together once.
    const auto parts = tokens.split_with_sizes({textTokens, tokens.size(1) - textTokens}, 1);
    return {parts[1], parts[0]};
}

} // namespace headroom::models
