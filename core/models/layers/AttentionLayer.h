// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <memory>
#include <optional>

namespace headroom::models {

/// Which keys a query sees: all, or those at its own and earlier positions.
enum class Causality { Full, Causal };

/// Whether there are as many heads of keys and values as of queries, or fewer, each shared by as many query heads as
/// there are more (grouped queries).
enum class KeyHeads { AsQueries, Shared };

/// Arguments of scaled dot-product attention: query [batch, heads, queries, channels], key and value [batch, heads,
/// keys, channels]; mask: additive or boolean (true: keep), broadcastable to [batch, heads, queries, keys], or
/// undefined; scale: 1 / sqrt(channels) by default; dropout: drop probability of the weights.
struct AttentionInputs {
    at::Tensor query;
    at::Tensor key;
    at::Tensor value;
    at::Tensor mask{};
    Causality causality = Causality::Full;
    std::optional<double> scale{};
    double dropout = 0;
    KeyHeads heads = KeyHeads::AsQueries;
};

/// LibTorch's scaled_dot_product_attention, with the kernel that it chooses.
at::Tensor scaledDotProductAttention(const AttentionInputs& inputs);

/// A different way to compute scaled dot-product attention; installed by techniques.
class AttentionExecution {
public:
    virtual ~AttentionExecution() = default;
    virtual at::Tensor run(const AttentionInputs& inputs) = 0;
};

/// A module that contains scaled dot-product attention, for techniques to find.
class AttentionLayer {
public:
    virtual ~AttentionLayer() = default;

    /// Installs the way in which attention is computed; null: LibTorch's.
    void setExecution(std::unique_ptr<AttentionExecution> execution) { m_execution = std::move(execution); }

protected:
    /// Result [batch, heads, queries, channels]. Under autocast, inputs are converted to the region's type for every
    /// execution.
    at::Tensor attend(const AttentionInputs& inputs) const;

private:
    std::unique_ptr<AttentionExecution> m_execution;
};

} // namespace headroom::models
