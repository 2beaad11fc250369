// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/LlamaBlock.h"

#include "core/config/models/LlamaFamily.h"
#include "core/memory/MemoryScopes.h"

namespace headroom::models {
namespace {

Bias llamaBiasOf(const config::ValueMap& fields, const char* name)
{
    return fields.at(name).boolean() ? Bias::On : Bias::Off;
}

FeedForwardOptions llamaFeedForwardOptions(const config::ValueMap& fields)
{
    const std::int64_t width = fields.at("hidden_size").integer();
    return {.dim = width,
        .dimOut = width,
        .inner = fields.at("intermediate_size").integer(),
        .activation = Activation::Swiglu,
        .bias = llamaBiasOf(fields, "mlp_bias"),
        .separateGate = SeparateGate{"gate_proj", "up_proj", "down_proj"}};
}

} // namespace

LlamaAttention::LlamaAttention(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_headDim(config::llamaHeadDim(fields))
    , m_queriesPerKey(fields.at("num_attention_heads").integer() / fields.at("num_key_value_heads").integer())
    , m_repeats(fields.at(config::kRepeatKeyValues).boolean())
{
    const std::int64_t hidden = fields.at("hidden_size").integer();
    const std::int64_t queries = fields.at("num_attention_heads").integer() * m_headDim;
    const std::int64_t keys = fields.at("num_key_value_heads").integer() * m_headDim;
    const auto projection = [&](const char* name, std::int64_t in, std::int64_t out) {
        return register_module(name, std::make_shared<Linear>(in, out, llamaBiasOf(fields, "attention_bias"), options));
    };
    m_widths = {queries, keys, keys};
    if (fields.at(config::kFusedProjections).boolean()) {
        m_fused = projection("qkv_proj", hidden, queries + 2 * keys);
    } else {
        m_query = projection("q_proj", hidden, queries);
        m_key = projection("k_proj", hidden, keys);
        m_value = projection("v_proj", hidden, keys);
    }
    m_output = projection("o_proj", queries, hidden);
}

at::Tensor LlamaAttention::heads(const at::Tensor& projected) const
{
    return projected.unflatten(2, {-1, m_headDim}).transpose(1, 2);
}

// Where they are one, all three are views of its result.
LlamaAttention::Projections LlamaAttention::project(const at::Tensor& hidden) const
{
    if (!m_fused)
        return {heads(m_query->forward(hidden)), heads(m_key->forward(hidden)), heads(m_value->forward(hidden))};
    const std::vector<at::Tensor> parts = m_fused->forward(hidden).split_with_sizes(m_widths, 2);
    return {heads(parts[0]), heads(parts[1]), heads(parts[2])};
}

// Without a mask upstream passes enable_gqa: kernels that can do it share the heads. With one it repeats them.
KeyHeads LlamaAttention::keyHeads(const LlamaBlockContext& context) const
{
    const bool isShared = m_queriesPerKey > 1 && !m_repeats && !context.mask.defined();
    return isShared ? KeyHeads::Shared : KeyHeads::AsQueries;
}

// Repeats each key or value head once for each of its query heads, consecutively.
at::Tensor LlamaAttention::repeated(const at::Tensor& tensor) const
{
    return tensor.unsqueeze(2)
        .expand({tensor.size(0), tensor.size(1), m_queriesPerKey, tensor.size(2), tensor.size(3)})
        .flatten(1, 2);
}

at::Tensor LlamaAttention::forward(const at::Tensor& hidden, const LlamaBlockContext& context) const
{
    const tensor::ModuleScope scope(*this);
    auto [query, key, value] = project(hidden);
    // One call of upstream's turns both: the queries as they were are there until the keys are turned.
    at::Tensor turned = applyRotaryToHalves(query, context.rotary);
    key = applyRotaryToHalves(key, context.rotary);
    query = std::move(turned);
    const KeyHeads shared = keyHeads(context);
    // What is repeated stays beside its copies, as a variable of upstream's forward.
    const bool isRepeated = shared == KeyHeads::AsQueries && m_queriesPerKey > 1;
    at::Tensor attended = attend({.query = query,
        .key = isRepeated ? repeated(key) : key,
        .value = isRepeated ? repeated(value) : value,
        .mask = context.mask,
        .causality = context.mask.defined() ? Causality::Full : Causality::Causal,
        .heads = shared});
    attended = attended.transpose(1, 2).flatten(2); // a copy after some kernels, and then what was attended is freed
    return m_output->forward(attended);
}

LlamaBlock::LlamaBlock(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_attention(register_module("self_attn", std::make_shared<LlamaAttention>(fields, options)))
    , m_feedForward(register_module("mlp", std::make_shared<FeedForward>(llamaFeedForwardOptions(fields), options)))
    , m_attentionNorm(register_module("input_layernorm", llamaNorm(fields, options)))
    , m_feedForwardNorm(register_module("post_attention_layernorm", llamaNorm(fields, options)))
{
}

at::Tensor LlamaBlock::forward(const at::Tensor& hidden, const LlamaBlockContext& context) const
{
    const tensor::ModuleScope scope(*this);
    return fed(attended(hidden, context));
}

// The normalised states are freed before the sum is computed.
at::Tensor LlamaBlock::attended(const at::Tensor& hidden, const LlamaBlockContext& context) const
{
    at::Tensor branch = m_attentionNorm->forward(hidden);
    branch = m_attention->forward(branch, context);
    return hidden + branch;
}

at::Tensor LlamaBlock::fed(const at::Tensor& hidden) const
{
    at::Tensor branch = m_feedForwardNorm->forward(hidden);
    branch = m_feedForward->forward(branch);
    return hidden + branch;
}

std::shared_ptr<RmsNorm> llamaNorm(const config::ValueMap& fields, const at::TensorOptions& options)
{
    return std::make_shared<RmsNorm>(
        fields.at("hidden_size").integer(), fields.at("rms_norm_eps").real(), Affine::On, RmsNormForm::Raised, options);
}

void startLinearsNormal(torch::nn::Module& module, double deviation)
{
    for (const auto& child : module.modules(/*include_self=*/false))
        if (auto* linear = dynamic_cast<Linear*>(child.get()))
            linear->startNormal(deviation);
}

} // namespace headroom::models
