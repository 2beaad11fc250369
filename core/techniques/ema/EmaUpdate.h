// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/EmaDescriptor.h"
#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::techniques {

using Tensors = std::vector<at::Tensor>;

/// Whether the mode holds the difference of all shadows and parameters at once, or of one at a time.
bool needsTemporary(config::EmaMode mode);

/// shadow -= weight * (shadow - parameter), in place, for pairs of equal shape, dtype and device. Only `Loop` rounds as
/// this is written: `Foreach` subtracts with a factor, `ForeachNoTemporary` interpolates (docs/techniques/ema.md).
/// `temporaries`: memory of the shadows' shapes for modes that need it; empty: allocated.
void moveTowards(config::EmaMode mode, const Tensors& shadows, const Tensors& parameters, double weight,
    const Tensors& temporaries = {});

/// shadow <- parameter for each pair.
void copyParameters(config::EmaMode mode, const Tensors& shadows, const Tensors& parameters);

} // namespace headroom::techniques
