// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/AttentionLayer.h"
#include "core/models/layers/Linear.h"
#include "core/models/layers/RmsNorm.h"
#include "core/models/layers/RotaryEmbedding.h"

namespace headroom::models {

/// What a rotary embedding rotates: all heads' channels as one vector, or each head's separately.
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
class Attention : public torch::nn::Module, public AttentionLayer {
public:
    Attention(const AttentionOptions& options, const at::TensorOptions& tensorOptions);

    /// hidden [batch, queries, dim], context [batch, keys, contextDim]; mask: additive, [batch, queries or 1, keys],
    /// the same for all heads, or undefined. The tables rotate queries and keys. Result [batch, queries, dim].
    at::Tensor forward(
        const at::Tensor& hidden, const at::Tensor& context, const RotaryTables& rotary, const at::Tensor& mask) const;

private:
    at::Tensor turned(const at::Tensor& tensor, const RotaryTables& rotary) const;
    at::Tensor maskOfHeads(const at::Tensor& mask) const;
    at::Tensor splitHeads(const at::Tensor& tensor) const;

    AttentionOptions m_options;
    std::shared_ptr<RmsNorm> m_normQuery;
    std::shared_ptr<RmsNorm> m_normKey;
    std::shared_ptr<Linear> m_toQuery;
    std::shared_ptr<Linear> m_toKey;
    std::shared_ptr<Linear> m_toValue;
    std::shared_ptr<Linear> m_toOutput;
};

} // namespace headroom::models
