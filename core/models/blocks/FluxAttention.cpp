// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/FluxAttention.h"

#include "core/memory/MemoryScopes.h"
#include "core/models/layers/Container.h"

namespace headroom::models {
namespace {

/// Names of a stream's layers.
struct ProjectionNames {
    const char* normQuery;
    const char* normKey;
    const char* query;
    const char* key;
    const char* value;
};

constexpr ProjectionNames kImageNames{"norm_q", "norm_k", "to_q", "to_k", "to_v"};
constexpr ProjectionNames kTextNames{"norm_added_q", "norm_added_k", "add_q_proj", "add_k_proj", "add_v_proj"};

/// Queries, keys and values, [batch, tokens, heads, channels].
struct Projected {
    at::Tensor query;
    at::Tensor key;
    at::Tensor value;
};

FluxProjections makeProjections(torch::nn::Module& parent, const ProjectionNames& names,
    const FluxAttentionOptions& options, const at::TensorOptions& tensorOptions)
{
    const auto norm = [&](const char* name) {
        return parent.register_module(name,
            std::make_shared<RmsNorm>(
                options.headDim, options.normEps, Affine::On, RmsNormForm::Library, tensorOptions));
    };
    const auto linear = [&](const char* name) {
        return parent.register_module(
            name, std::make_shared<Linear>(options.width, options.width, Bias::On, tensorOptions));
    };
    FluxProjections made;
    made.normQuery = norm(names.normQuery);
    made.normKey = norm(names.normKey);
    made.query = linear(names.query);
    made.key = linear(names.key);
    made.value = linear(names.value);
    return made;
}

Projected project(const FluxProjections& layers, const at::Tensor& tokens, std::int64_t headDim)
{
    const auto heads = [&](const Linear& layer) { return layer.forward(tokens).unflatten(-1, {-1, headDim}); };
    Projected result;
    result.query = heads(*layers.query);
    result.key = heads(*layers.key);
    result.value = heads(*layers.value);
    return result;
}

void normalise(const FluxProjections& layers, Projected& projected)
{
    projected.query = layers.normQuery->forward(projected.query);
    projected.key = layers.normKey->forward(projected.key);
}

void prepend(const Projected& text, Projected& image)
{
    image.query = at::cat({text.query, image.query}, 1);
    image.key = at::cat({text.key, image.key}, 1);
    image.value = at::cat({text.value, image.value}, 1);
}

AttentionInputs turned(Projected& joint, const RotaryTables& rotary)
{
    joint.query = applyRotary(joint.query, rotary);
    joint.key = applyRotary(joint.key, rotary);
    return {joint.query.transpose(1, 2), joint.key.transpose(1, 2), joint.value.transpose(1, 2)};
}

// A copy after some kernels, and then what was attended is freed.
at::Tensor mergedHeads(at::Tensor attended)
{
    attended = attended.transpose(1, 2).flatten(2);
    return attended;
}

} // namespace

FluxSingleAttention::FluxSingleAttention(const FluxAttentionOptions& options, const at::TensorOptions& tensorOptions)
    : m_options(options)
    , m_projections(makeProjections(*this, kImageNames, options, tensorOptions))
{
}

at::Tensor FluxSingleAttention::forward(const at::Tensor& tokens, const RotaryTables& rotary) const
{
    const tensor::ModuleScope scope(*this);
    Projected projected = project(m_projections, tokens, m_options.headDim);
    normalise(m_projections, projected);
    return mergedHeads(attend(turned(projected, rotary)));
}

FluxJointAttention::FluxJointAttention(const FluxAttentionOptions& options, const at::TensorOptions& tensorOptions)
    : m_options(options)
    , m_image(makeProjections(*this, kImageNames, options, tensorOptions))
{
    const auto linear = [&] { return std::make_shared<Linear>(options.width, options.width, Bias::On, tensorOptions); };
    m_toOutput = register_module("to_out", std::make_shared<Container>())->register_module("0", linear());
    m_text = makeProjections(*this, kTextNames, options, tensorOptions);
    m_toTextOutput = register_module("to_add_out", linear());
}

// The streams' projections stay alive beside the joint tensors, as in upstream's code.
FluxStreams FluxJointAttention::forward(const FluxStreams& streams, const RotaryTables& rotary) const
{
    const tensor::ModuleScope scope(*this);
    Projected joint = project(m_image, streams.image, m_options.headDim);
    Projected text = project(m_text, streams.text, m_options.headDim);
    normalise(m_image, joint);
    normalise(m_text, text);
    prepend(text, joint);
    return projected(mergedHeads(attend(turned(joint, rotary))), streams.text.size(1));
}

FluxStreams FluxJointAttention::projected(const at::Tensor& attended, std::int64_t textTokens) const
{
    const auto parts = attended.split_with_sizes({textTokens, attended.size(1) - textTokens}, 1);
    FluxStreams result;
    result.image = m_toOutput->forward(parts[1].contiguous());
    result.text = m_toTextOutput->forward(parts[0].contiguous());
    return result;
}

} // namespace headroom::models
