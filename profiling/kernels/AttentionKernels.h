// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// scaled_dot_product_attention by the backend of the active rules, and the backends' kernels: results with their saved
/// statistics in the layouts of LibTorch's kernels, padding and scratch. Not modelled: cuDNN's workspace, whose size
/// only cuDNN knows, and the flash backward pass's expanded gradients of keys and values that several heads share.
void registerAttentionKernels(torch::Library& kernels, torch::Library& composites);

} // namespace headroom::collectors
