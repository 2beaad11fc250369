// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headroom::simulator {

/// What a reduction's kernel computes with: sizes in bytes.
struct ReductionTypes {
    Bytes input = 4; ///< an element that is read
    Bytes accumulator = 4; ///< what is kept of several elements: a sum, a pair of value and place, …
    Bytes output = 4;
    /// Elements that a thread reads at once where neighbours are reduced.
    std::int64_t inputVector = 4;
};

/// A strided input and which of its dimensions are reduced.
struct ReducedTensor {
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides; ///< in elements
    std::vector<bool> isReduced; ///< of each dimension
    std::int64_t offset = 0; ///< of the first element in its storage, in elements
};

/// What the kernel is launched on.
struct ReductionDevice {
    std::int64_t multiprocessors = 0;
    std::int64_t threadsPerMultiprocessor = 0;
};

/// One launch that splits its input over several blocks: what each block found, and a counter for each group of
/// outputs by which the last block knows that it is the last.
struct SplitReduction {
    Bytes buffer = 0;
    Bytes semaphores = 0;
    bool operator==(const SplitReduction&) const = default;
};

/// What a reduction takes from the allocator beside its result and gives back when it is launched.
struct ReductionScratch {
    /// Partial results of an input that is too large for 32-bit offsets and is reduced in parts, where the result's own
    /// type does not hold them; there over all launches.
    std::optional<Bytes> accumulators;
    std::vector<SplitReduction> launches; ///< one after the other

    bool operator==(const ReductionScratch&) const = default;
};

/// aten/src/ATen/native/cuda/Reduce.cuh, gpu_reduce_kernel and setReduceConfig, over the dimensions as TensorIterator
/// puts them (aten/src/ATen/TensorIterator.cpp: reduced ones in front, small strides first, merged where they lie one
/// behind the other). The result is contiguous.
ReductionScratch reductionScratch(
    const ReducedTensor& tensor, const ReductionTypes& types, const ReductionDevice& device);

} // namespace headroom::simulator
