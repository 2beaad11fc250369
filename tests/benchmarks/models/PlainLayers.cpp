// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/models/PlainLayers.h"

namespace headroom::benchmarks {

Weights::Weights(const torch::nn::Module& model)
{
    for (const auto& list : {model.named_parameters(), model.named_buffers()})
        for (const auto& item : list)
            m_tensors[item.key()] = item.value();
}

at::Tensor Weights::at(const std::string& name) const
{
    return m_tensors.at(name);
}

at::Tensor Weights::find(const std::string& name) const
{
    const auto found = m_tensors.find(name);
    return found == m_tensors.end() ? at::Tensor() : found->second;
}

PlainLinear::PlainLinear(const Weights& weights, const std::string& path)
    : weight(weights.at(path + ".weight"))
    , bias(weights.find(path + ".bias"))
{
}

PlainFeedForward::PlainFeedForward(const Weights& weights, const std::string& path, models::Activation kind)
    : projection(weights, path + ".net.0.proj")
    , output(weights, path + ".net.2")
    , activation(kind)
{
}

at::Tensor PlainFeedForward::operator()(const at::Tensor& input) const
{
    return output(at::dropout(models::activate(activation, projection(input)), 0, false));
}

PlainGatedFeedForward::PlainGatedFeedForward(
    const Weights& weights, const std::string& path, const Names& names, models::Activation kind)
    : gate(weights, path + "." + names.gate)
    , value(weights, path + "." + names.value)
    , output(weights, path + "." + names.output)
    , activation(kind)
{
}

at::Tensor PlainGatedFeedForward::operator()(const at::Tensor& input) const
{
    at::Tensor inner = models::gateOf(activation, gate(input));
    inner = inner * value(input);
    return output(at::dropout(inner, 0, false));
}

PlainEmbedding::PlainEmbedding(const Weights& weights, const std::string& path, Between activation)
    : first(weights, path + ".linear_1")
    , second(weights, path + ".linear_2")
    , between(activation)
{
}

at::Tensor PlainEmbedding::operator()(const at::Tensor& input) const
{
    const at::Tensor hidden = first(input);
    return second(between == Between::Silu ? at::silu(hidden) : at::gelu(hidden, "tanh"));
}

std::vector<at::Tensor> modulationOf(const PlainLinear& linear, const at::Tensor& embedding, std::int64_t parts)
{
    return linear(at::silu(embedding)).chunk(parts, 1);
}

at::Tensor splitHeads(const at::Tensor& x, std::int64_t headDim)
{
    return x.unflatten(2, {-1, headDim}).transpose(1, 2);
}

at::Tensor mergedHeads(const at::Tensor& x)
{
    return x.transpose(1, 2).flatten(2);
}

PlainAttention::PlainAttention(
    const Weights& weights, const std::string& path, std::int64_t headCount, double epsilon, Rotary form)
    : toQuery(weights, path + ".to_q")
    , toKey(weights, path + ".to_k")
    , toValue(weights, path + ".to_v")
    , toOutput(weights, path + ".to_out.0")
    , normQuery(weights.at(path + ".norm_q.weight"))
    , normKey(weights.at(path + ".norm_k.weight"))
    , heads(headCount)
    , eps(epsilon)
    , rotary(form)
{
}

at::Tensor PlainAttention::operator()(const at::Tensor& hidden, const at::Tensor& context,
    const models::RotaryTables& tables, const std::optional<at::Tensor>& mask) const
{
    at::Tensor query = toQuery(hidden);
    at::Tensor key = toKey(context);
    const at::Tensor value = toValue(context);
    query = at::rms_norm(query, {query.size(-1)}, normQuery, eps);
    key = at::rms_norm(key, {key.size(-1)}, normKey, eps);
    if (tables.defined()) {
        query = turned(query, tables);
        key = turned(key, tables);
    }
    const at::Tensor attended = at::scaled_dot_product_attention(split(query), split(key), split(value), mask);
    return toOutput(mergedHeads(attended));
}

at::Tensor PlainAttention::turned(const at::Tensor& x, const models::RotaryTables& tables) const
{
    if (rotary == Rotary::AcrossHeads)
        return models::applyRotary(x, tables);
    return models::applyRotaryToHeads(x.unflatten(2, {heads, -1}), tables).flatten(2);
}

at::Tensor PlainAttention::split(const at::Tensor& x) const
{
    return x.unflatten(2, {heads, -1}).transpose(1, 2);
}

} // namespace headroom::benchmarks
