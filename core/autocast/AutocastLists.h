// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <optional>
#include <vector>

namespace headroom::tensor {

/// Whose lists of ops autocast goes by: LibTorch's for the CPU leave norms and softmax as they are, those for CUDA run
/// them in float32.
enum class AutocastLists { Cpu, Cuda };

/// What autocast does with an op's arguments.
enum class AutocastPolicy {
    LowerPrecision, ///< all tensors in the region's type
    Float32, ///< all tensors in float32
    Float32Result, ///< tensors as they are; the result's type is float32 where the caller gave none
    Float32Appended, ///< the op's other overload, which takes the result's type
    Widest, ///< all tensors in the widest type among them
    Refused, ///< no autocast at all
};

/// None: the op is in no list and runs as it is called.
std::optional<AutocastPolicy> autocastPolicy(AutocastLists lists, const c10::OperatorName& op);

/// Every op of either list.
std::vector<c10::OperatorName> autocastOps();

/// The lists for tensors of a device: on meta those of the device that is simulated, CUDA's where nobody said which.
AutocastLists autocastListsOf(c10::Device device);

/// While it lives, this thread's tensors on meta are autocast by these lists.
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
