// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/recordings/LanguageModel.h"

#include <cmath>
#include <limits>
#include <utility>

namespace headroom::recordings {
namespace {

constexpr double kNormEpsilon = 1e-5;

at::Tensor product(const at::Tensor& x, const at::Tensor& weight)
{
    return at::einsum("...a,ba->...b", {x, weight});
}

at::Tensor normed(const at::Tensor& x, const at::Tensor& weight)
{
    at::Tensor scale = x.pow(2);
    scale = scale.mean(-1, /*keepdim=*/true);
    scale = scale + kNormEpsilon;
    scale = scale.rsqrt();
    const at::Tensor scaled = x * scale;
    return weight * scaled;
}

at::Tensor softmax(const at::Tensor& x)
{
    at::Tensor most = std::get<0>(x.max(-1, /*keepdim=*/true));
    const at::Tensor less = x - most;
    most.reset();
    const at::Tensor exponentials = less.exp();
    return exponentials / exponentials.sum(-1, /*keepdim=*/true);
}

at::Tensor attentionOver(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const at::Tensor& mask)
{
    const double root = std::sqrt(static_cast<double>(key.size(-1)));
    at::Tensor scores = at::einsum("...ab,...cb->...ac", {query, key});
    scores = scores / root;
    scores = at::where(mask, scores, -std::numeric_limits<double>::infinity());
    const at::Tensor weights = softmax(scores);
    return at::einsum("...ab,...bc->...ac", {weights, value});
}

at::Tensor gated(const at::Tensor& x)
{
    return x * x.sigmoid();
}

at::Tensor logSoftmax(at::Tensor x)
{
    const at::Tensor most = std::get<0>(x.max(-1, /*keepdim=*/true));
    x = x - most;
    at::Tensor total = x.exp();
    total = total.sum(-1, /*keepdim=*/true);
    total = total.log();
    return x - total;
}

} // namespace

LanguageModel::LanguageModel(const LanguageModelShape& shape, const at::TensorOptions& options)
    : m_shape(shape)
    , m_options(options)
{
    const auto [width, inner] = std::pair(shape.width, shape.inner);
    m_embedding = parameter({shape.vocabulary, width});
    for (std::int64_t i = 0; i < shape.layers; ++i) {
        Layer layer;
        for (at::Tensor Layer::* weight : {&Layer::query, &Layer::key, &Layer::value, &Layer::output})
            layer.*weight = parameter({width, width});
        layer.up = parameter({inner, width});
        layer.down = parameter({width, inner});
        layer.gate = parameter({inner, width});
        layer.attentionNorm = parameter({width});
        layer.feedForwardNorm = parameter({width});
        m_layers.push_back(layer);
    }
    m_finalNorm = parameter({width});
    m_head = parameter({shape.vocabulary, width});
    m_angles = at::empty({2, shape.context, width / shape.heads / 2}, options);
}

at::Tensor LanguageModel::parameter(at::IntArrayRef sizes)
{
    m_parameters.push_back(at::empty(sizes, m_options).requires_grad_());
    return m_parameters.back();
}

at::Tensor LanguageModel::perHead(const at::Tensor& x) const
{
    return x.reshape({x.size(0), x.size(1), m_shape.heads, x.size(2) / m_shape.heads}).permute({0, 2, 1, 3});
}

// Pairs of neighbouring channels are turned; the cosines of all places are a view.
at::Tensor LanguageModel::rotated(const at::Tensor& x) const
{
    const auto pairs = x.reshape({x.size(0), x.size(1), x.size(2), x.size(3) / 2, 2}).permute({4, 0, 1, 2, 3}).unbind();
    const at::Tensor cosine = m_angles.select(0, 0), sine = m_angles.select(0, 1);
    at::Tensor left = cosine * pairs[0];
    at::Tensor right = sine * pairs[1];
    const at::Tensor first = left - right;
    left.reset();
    right.reset();
    left = sine * pairs[0];
    right = cosine * pairs[1];
    const at::Tensor second = left + right;
    left.reset();
    right.reset();
    return at::concat({first.unsqueeze(-1), second.unsqueeze(-1)}, -1).reshape(x.sizes());
}

at::Tensor LanguageModel::attention(const Layer& layer, const at::Tensor& x) const
{
    at::Tensor query = product(x, layer.query);
    at::Tensor key = product(x, layer.key);
    at::Tensor value = product(x, layer.value);
    query = perHead(query);
    key = perHead(key);
    value = perHead(value);
    query = rotated(query);
    key = rotated(key);
    const at::Tensor places = at::arange(x.size(1), m_options.dtype(at::kLong));
    const at::Tensor mask = places.unsqueeze(-1).ge(places.unsqueeze(0));
    at::Tensor mixed = attentionOver(query, key, value, mask);
    mixed = mixed.permute({0, 2, 1, 3}).reshape(x.sizes());
    return product(mixed, layer.output);
}

at::Tensor LanguageModel::block(const Layer& layer, const at::Tensor& x) const
{
    const at::Tensor attended = attention(layer, normed(x, layer.attentionNorm));
    const at::Tensor middle = x + attended;
    const at::Tensor input = normed(middle, layer.feedForwardNorm);
    const at::Tensor up = gated(product(input, layer.up));
    const at::Tensor fed = product(up * product(input, layer.gate), layer.down);
    return middle + fed;
}

at::Tensor LanguageModel::forward(const at::Tensor& tokens) const
{
    at::Tensor x = at::index(m_embedding, {tokens});
    for (const Layer& layer : m_layers)
        x = block(layer, x);
    x = normed(x, m_finalNorm);
    return product(x, m_head);
}

at::Tensor LanguageModel::loss(const at::Tensor& logits, const at::Tensor& targets)
{
    at::Tensor likelihood = logSoftmax(logits);
    likelihood = -likelihood;
    const at::Tensor chosen = likelihood.gather(-1, targets.unsqueeze(-1));
    return chosen.mean();
}

at::Tensor LanguageModel::fusedLoss(const at::Tensor& logits, const at::Tensor& targets)
{
    return at::cross_entropy_loss(logits.flatten(0, 1), targets.flatten());
}

ElementwiseAdamW::ElementwiseAdamW(std::vector<at::Tensor> parameters)
    : m_parameters(std::move(parameters))
    , m_states(m_parameters.size())
{
}

void ElementwiseAdamW::clearGradients()
{
    for (at::Tensor& parameter : m_parameters)
        parameter.mutable_grad().reset();
}

ElementwiseAdamW::State ElementwiseAdamW::advanced(const State& before, const at::Tensor& gradient)
{
    State after;
    at::Tensor kept = before.mean * 0.9;
    at::Tensor added = gradient * 0.1;
    after.mean = kept + added;
    kept.reset();
    added.reset();
    kept = before.square * 0.999;
    added = gradient.pow(2);
    added = added * 0.001;
    after.square = kept + added;
    return after;
}

void ElementwiseAdamW::update(at::Tensor data, const State& state)
{
    const at::Tensor mean = state.mean * 1e-3;
    at::Tensor root = state.square.sqrt();
    root = root + 1e-8;
    const at::Tensor change = mean / root;
    data.sub_(change);
}

// The state before is held until that of the next parameter takes its name.
void ElementwiseAdamW::step()
{
    const at::NoGradGuard noGradients;
    State before;
    const auto stateOr = [](const at::Tensor& state, const at::Tensor& zeros) {
        return state.defined() ? state : zeros;
    };
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        at::Tensor data = m_parameters[i].detach();
        const at::Tensor gradient = m_parameters[i].grad();
        data.sub_(data * 1e-5);
        before.mean = stateOr(m_states[i].mean, at::zeros_like(gradient));
        before.square = stateOr(m_states[i].square, at::zeros_like(gradient));
        m_states[i] = advanced(before, gradient);
        update(data, m_states[i]);
    }
}

} // namespace headroom::recordings
