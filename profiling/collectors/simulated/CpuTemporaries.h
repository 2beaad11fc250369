// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"
#include "profiling/collectors/AccountedMemory.h"

#include <optional>
#include <unordered_map>

namespace headroom::collectors {

/// Temporaries that LibTorch's CPU kernels allocate and meta kernels do not, for `sim:cpu`.
///
/// Rules, each with its source:
/// - mean: the number of elements, which divides the sum in place; in bfloat16 or float16 the whole input and its sum
///   in float32, for accuracy (aten/src/ATen/native/ReduceOps.cpp, mean_out).
/// - add, sub, mul and div of tensors of different types: a copy in the common type of each argument that has another
///   type; if the result is written into the first argument and that one has another type, a copy of it as argument and
///   as result (aten/src/ATen/TensorIterator.cpp, compute_types).
/// - the same ops, and comparisons, with a number: a tensor of the number in the type of its kind (8 bytes), and its
///   copy in the common type (aten/src/ATen/native/BinaryOps.cpp, wrapped_scalar_tensor). The _foreach_ forms take the
///   same for one tensor after the other (aten/src/ATen/native/ForeachOpsKernels.cpp).
class CpuTemporaries final : public tensor::OpObserver {
public:
    explicit CpuTemporaries(std::shared_ptr<AccountedMemory> memory);

    void before(const tensor::OpCall& call) override;
    void after(const tensor::OpCall& call) override;

    /// Which of the rules applies to an op.
    enum class Kind {
        Mean,
        Arithmetic, ///< of two tensors
        Number, ///< with a number, of one tensor or a list
    };

private:
    std::optional<Kind> kindOf(const c10::OperatorHandle& op);

    std::shared_ptr<AccountedMemory> m_memory;
    std::unordered_map<const c10::FunctionSchema*, std::optional<Kind>> m_kinds;
    Bytes m_temporaryBytes = 0;
    std::optional<std::int64_t> m_inputElements; ///< of a mean
};

} // namespace headroom::collectors
