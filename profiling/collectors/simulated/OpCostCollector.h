// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"
#include "profiling/collectors/simulated/WorkOfOps.h"
#include "profiling/simulator/rules/CostModel.h"

#include <functional>
#include <unordered_map>

namespace headroom::collectors {

/// Computes the cost of each op from its arguments and results: the arithmetic of matrix products, convolutions and
/// attention, and memory traffic for everything else. Views and uninitialised tensors cost nothing. A broadcast element
/// is counted once; of an embedding table only the rows that are looked up, of an indexed tensor what is selected. For
/// fused attention the effect of a causal mask is ignored. Each cost also says what kind of work it is, for devices
/// whose rates were measured.
class OpCostCollector final : public tensor::OpObserver {
public:
    using Sink = std::function<void(const simulator::OpCost&)>;
    /// Whether views and uninitialised tensors are passed to the sink, with no launches: a host spends time on them.
    enum class Views { LeftOut, Reported };

    explicit OpCostCollector(Sink sink, Views views = Views::LeftOut);

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
        ScaledProduct,
        GroupedProduct,
        Distances,
        Selection,
        Sort,
        RowLookup,
        LabelLookup,
        LabelGradient
    };

    /// What is known of an op by its schema.
    struct OpTraits {
        OpKind kind = OpKind::Free;
        simulator::Work work = simulator::Work::Elementwise;
    };

    OpTraits traitsOf(const c10::OperatorHandle& op);
    bool hasTypeOfInputs() const
    {
        return m_kind == OpKind::Attention || m_kind == OpKind::AttentionBackward || m_kind == OpKind::ScaledProduct;
    }
    double flopsOf(const c10::FunctionSchema& schema, at::ArrayRef<c10::IValue> arguments) const;
    std::int64_t smallestDimension(at::ArrayRef<c10::IValue> arguments) const;
    Bytes bytesReadBy(at::ArrayRef<c10::IValue> arguments) const;
    std::int64_t furtherPasses(at::ArrayRef<c10::IValue> arguments) const;
    static OpKind classify(const c10::FunctionSchema& schema);

    Sink m_sink;
    Views m_views;
    std::unordered_map<const c10::FunctionSchema*, OpTraits> m_traits;
    OpKind m_kind = OpKind::Free;
    simulator::OpCost m_cost;
    CopiedTensors m_copied; ///< of a copy
    std::int64_t m_furtherPasses = 0;
    double m_flopsPerResult = 0; ///< if it is all that is known before the result
};

} // namespace headroom::collectors
