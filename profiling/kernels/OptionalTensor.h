// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// A kernel's optional argument. Autograd passes on an undefined tensor for one that was left out.
using OptionalTensor = std::optional<at::Tensor>;

inline bool isGiven(const OptionalTensor& tensor)
{
    return tensor.has_value() && tensor->defined();
}

} // namespace headroom::collectors
