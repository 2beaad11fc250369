// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <cmath>

namespace headroom::models {

/// A module with parameters of its own that can initialise them for training from scratch.
class Initialised {
public:
    virtual ~Initialised() = default;
    /// Fills the module's own parameters; called without gradient recording. On meta tensors nothing is written.
    virtual void initialise() = 0;
};

/// Standard normal scaled by 1 / sqrt(width), upstream's initialisation of its scale and shift tables [..., width].
inline void initialiseTable(at::Tensor& table)
{
    table.normal_(0.0, 1.0 / std::sqrt(static_cast<double>(table.size(-1))));
}

} // namespace headroom::models
