// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"
#include "profiling/simulator/rules/CostModel.h"

#include <functional>
#include <unordered_map>

namespace headroom::collectors {

/// Computes the cost of each op from its arguments and results: the arithmetic of matrix products, convolutions and
/// attention, and memory traffic for everything else. Views and uninitialised tensors cost nothing. A broadcast element
/// is counted once; of an embedding table only the rows that are looked up. For fused attention the effect of a causal
/// mask is ignored.
class OpCostCollector final : public tensor::OpObserver {
public:
    using Sink = std::function<void(const simulator::OpCost&)>;

    explicit OpCostCollector(Sink sink);

    void before(const tensor::OpCall& call) override;
    void after(const tensor::OpCall& call) override;

private:
    enum class OpKind {
        Free,
        Compute,
        MatrixProduct,
        BatchedProduct,
        BiasedProduct,
        BiasedBatchedProduct,
        Convolution,
        ConvolutionBackward,
        Attention,
        AttentionBackward,
        RowLookup,
        LabelLookup,
        LabelGradient
    };

    OpKind kindOf(const c10::OperatorHandle& op);
    bool isAttention() const { return m_kind == OpKind::Attention || m_kind == OpKind::AttentionBackward; }
    double flopsOf(const c10::FunctionSchema& schema, at::ArrayRef<c10::IValue> arguments) const;
    Bytes bytesReadBy(at::ArrayRef<c10::IValue> arguments) const;
    static OpKind classify(const c10::FunctionSchema& schema);

    Sink m_sink;
    std::unordered_map<const c10::FunctionSchema*, OpKind> m_kinds;
    OpKind m_kind = OpKind::Free;
    simulator::OpCost m_cost;
    double m_flopsPerResult = 0; ///< if it is all that is known before the result
};

} // namespace headroom::collectors
