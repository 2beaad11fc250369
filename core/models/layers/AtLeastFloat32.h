// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::models {

/// The type to compute in if a model requires at least float32: float64 stays.
inline at::ScalarType atLeastFloat32(at::ScalarType type)
{
    return type == at::kDouble ? at::kDouble : at::kFloat;
}

/// The tensor in that type; unchanged if it has it already.
inline at::Tensor atLeastFloat32(const at::Tensor& tensor)
{
    return tensor.to(atLeastFloat32(tensor.scalar_type()));
}

} // namespace headroom::models
