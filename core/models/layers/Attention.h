// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Linear.h"
#include "core/models/layers/RmsNorm.h"
#include "core/models/layers/RotaryEmbedding.h"

namespace headroom::models {

/// Arguments of scaled dot-product attention: query [batch, heads, queries, channels], key and value [batch, heads,
/// keys, channels], additive mask or undefined.
struct AttentionInputs {
    at::Tensor query;
    at::Tensor key;
    at::Tensor value;
    at::Tensor mask;
};

/// Another way to compute scaled dot-product attention; techniques install one.
class AttentionExecution {
public:
    virtual ~AttentionExecution() = default;
    virtual at::Tensor run(const AttentionInputs& inputs) = 0;
};

/// Which vectors a rotary embedding turns: all heads' channels as one, or each head's by themselves.
enum class RotaryForm { AcrossHeads, EachHead };

struct AttentionOptions {
    std::int64_t dim = 0; ///< width of the queries' input and of the output
    std::int64_t contextDim = 0; ///< width of the keys' and values' input
    std::int64_t heads = 0;
    std::int64_t headDim = 0;
    Bias bias = Bias::On; ///< of the query, key and value projections
    Bias outputBias = Bias::On;
    double normEps = 1e-5;
    RotaryForm rotary = RotaryForm::AcrossHeads;
};

/// Multi-head attention whose queries and keys are RMS-normalised over all heads together, before they are split.
///
/// Parameters: to_q, to_k, to_v, to_out.0 (Linear), norm_q, norm_k (RmsNorm with weight).
class Attention : public torch::nn::Module {
public:
    Attention(const AttentionOptions& options, const at::TensorOptions& tensorOptions);

    /// hidden [batch, queries, dim], context [batch, keys, contextDim]; mask: additive, broadcastable to
    /// [batch, heads, queries, keys], or undefined. The tables turn queries and keys. Result [batch, queries, dim].
    at::Tensor forward(
        const at::Tensor& hidden, const at::Tensor& context, const RotaryTables& rotary, const at::Tensor& mask) const;

    /// Takes over how attention itself is computed; null: LibTorch's way.
    void setExecution(std::unique_ptr<AttentionExecution> execution) { m_execution = std::move(execution); }

private:
    at::Tensor turned(const at::Tensor& tensor, const RotaryTables& rotary) const;
    at::Tensor splitHeads(const at::Tensor& tensor) const;
    at::Tensor attend(const AttentionInputs& inputs) const;

    AttentionOptions m_options;
    std::shared_ptr<RmsNorm> m_normQuery;
    std::shared_ptr<RmsNorm> m_normKey;
    std::shared_ptr<Linear> m_toQuery;
    std::shared_ptr<Linear> m_toKey;
    std::shared_ptr<Linear> m_toValue;
    std::shared_ptr<Linear> m_toOutput;
    std::unique_ptr<AttentionExecution> m_execution;
};

} // namespace headroom::models
