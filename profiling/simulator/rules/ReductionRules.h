// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headroom::simulator {

/// The types of a reduction kernel; sizes in bytes.
struct ReductionTypes {
    Bytes input = 4; ///< an element that is read
    Bytes accumulator = 4; ///< accumulated over several elements: a sum, a pair of value and index, …
    Bytes output = 4;
    /// Elements that a thread reads at once when adjacent elements are reduced.
    std::int64_t inputVector = 4;
};

/// A strided input and which of its dimensions are reduced.
struct ReducedTensor {
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides; ///< in elements
    std::vector<bool> isReduced; ///< for each dimension
    std::int64_t offset = 0; ///< of the first element in its storage, in elements
};

/// The device that the kernel is launched on.
struct ReductionDevice {
    std::int64_t multiprocessors = 0;
    std::int64_t threadsPerMultiprocessor = 0;
};

/// One launch that splits its input over several blocks: each block's partial result, and for each group of outputs a
/// counter that tells the last block that it is the last.
struct SplitReduction {
    Bytes buffer = 0;
    Bytes semaphores = 0;
    bool operator==(const SplitReduction&) const = default;
};

/// What a reduction takes from the allocator beside its result and returns when it is launched.
struct ReductionScratch {
    /// Partial results, shared by all launches, of an input that is too large for 32-bit offsets and is reduced in
    /// parts, if the result's own type cannot hold them.
    std::optional<Bytes> accumulators;
    std::vector<SplitReduction> launches; ///< one after the other

    bool operator==(const ReductionScratch&) const = default;
};

/// aten/src/ATen/native/cuda/Reduce.cuh, gpu_reduce_kernel and setReduceConfig, over the dimensions as TensorIterator
/// orders them (aten/src/ATen/TensorIterator.cpp: reduced ones first, small strides first, merged where they are
/// contiguous). The result is contiguous.
ReductionScratch reductionScratch(
    const ReducedTensor& tensor, const ReductionTypes& types, const ReductionDevice& device);

} // namespace headroom::simulator
