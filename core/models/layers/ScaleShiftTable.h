// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::models {

/// Standard normal scaled by 1 / sqrt(width), as upstream starts its scale and shift tables [..., width].
void initialiseTable(at::Tensor& table);

} // namespace headroom::models
