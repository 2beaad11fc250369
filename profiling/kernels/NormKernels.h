// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// rms_norm in the form of the active rules; _fused_rms_norm and native_layer_norm with their backward passes.
void registerNormKernels(torch::Library& kernels, torch::Library& composites);

} // namespace headroom::collectors
