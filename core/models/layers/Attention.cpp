// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/Attention.h"

#include "core/memory/MemoryScopes.h"
#include "core/models/layers/Container.h"

namespace headroom::models {

Attention::Attention(const AttentionOptions& options, const at::TensorOptions& tensorOptions)
    : m_options(options)
{
    const std::int64_t inner = options.heads * options.headDim;
    const auto norm = [&](const char* name) {
        return register_module(
            name, std::make_shared<RmsNorm>(inner, options.normEps, Affine::On, RmsNormForm::Library, tensorOptions));
    };
    const auto projection = [&](const char* name, std::int64_t in) {
        return register_module(name, std::make_shared<Linear>(in, inner, options.bias, tensorOptions));
    };
    m_normQuery = norm("norm_q");
    m_normKey = norm("norm_k");
    m_toQuery = projection("to_q", options.dim);
    m_toKey = projection("to_k", options.contextDim);
    m_toValue = projection("to_v", options.contextDim);
    const auto output = register_module("to_out", std::make_shared<Container>());
    m_toOutput =
        output->register_module("0", std::make_shared<Linear>(inner, options.dim, options.outputBias, tensorOptions));
}

at::Tensor Attention::turned(const at::Tensor& tensor, const RotaryTables& rotary) const
{
    if (m_options.rotary == RotaryForm::AcrossHeads)
        return applyRotary(tensor, rotary);
    return applyRotaryToHeads(tensor.unflatten(2, {m_options.heads, m_options.headDim}), rotary).flatten(2);
}

at::Tensor Attention::splitHeads(const at::Tensor& tensor) const
{
    return tensor.unflatten(2, {m_options.heads, m_options.headDim}).transpose(1, 2);
}

// Upstream copies the mask for each head, and a variable holds the copy to the end.
at::Tensor Attention::maskOfHeads(const at::Tensor& mask) const
{
    if (!mask.defined())
        return mask;
    const at::Tensor copies = m_options.heads > 1 ? mask.repeat_interleave(m_options.heads, 0) : mask;
    return copies.view({mask.size(0), m_options.heads, -1, mask.size(-1)});
}

at::Tensor Attention::forward(
    const at::Tensor& hidden, const at::Tensor& context, const RotaryTables& rotary, const at::Tensor& mask) const
{
    const tensor::ModuleScope scope(*this);
    const at::Tensor headMask = maskOfHeads(mask);
    at::Tensor query = m_toQuery->forward(hidden);
    at::Tensor key = m_toKey->forward(context);
    const at::Tensor value = m_toValue->forward(context);
    query = m_normQuery->forward(query);
    key = m_normKey->forward(key);
    if (rotary.defined()) {
        query = turned(query, rotary);
        key = turned(key, rotary);
    }
    at::Tensor attended = attend({splitHeads(query), splitHeads(key), splitHeads(value), headMask});
    attended = attended.transpose(1, 2).flatten(2); // a copy after some kernels, and then what was attended is freed
    return m_toOutput->forward(attended);
}

} // namespace headroom::models
