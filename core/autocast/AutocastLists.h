// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <optional>
#include <vector>

namespace headroom::tensor {

/// Which of LibTorch's op lists autocast follows: those for the CPU leave norms and softmax alone, those for CUDA run
/// them in float32.
enum class AutocastLists { Cpu, Cuda };

/// What autocast does with an op's arguments.
enum class AutocastPolicy {
    LowerPrecision, ///< all tensors are cast to the region's type
    Float32, ///< all tensors are cast to float32
    Float32Result, ///< tensors are not cast; the result's type is float32 unless the caller gave one
    Float32Appended, ///< the op's overload that takes the result's type is called
    Widest, ///< all tensors are cast to the widest type among them
    Refused, ///< the op throws under autocast
};

/// Nothing: the op is in no list and runs as it is called.
std::optional<AutocastPolicy> autocastPolicy(AutocastLists lists, const c10::OperatorName& op);

/// Every op of either list.
std::vector<c10::OperatorName> autocastOps();

/// The lists for tensors of a device: on meta those of the simulated device, CUDA's if none was set.
AutocastLists autocastListsOf(c10::Device device);

/// While it lives, autocast uses these lists for this thread's tensors on meta.
class MetaAutocastLists {
public:
    explicit MetaAutocastLists(AutocastLists lists);
    ~MetaAutocastLists();
    MetaAutocastLists(const MetaAutocastLists&) = delete;
    MetaAutocastLists& operator=(const MetaAutocastLists&) = delete;

private:
    AutocastLists m_outer;
};

} // namespace headroom::tensor
