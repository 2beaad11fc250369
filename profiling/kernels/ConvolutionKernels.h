// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// Convolution and its backward, which LibTorch has no meta kernels for without Python. Results are contiguous, and
/// inputs that are not are copied first, as by oneDNN and cuDNN. What cuDNN takes as workspace depends on the algorithm
/// that it chooses on the device: it is no part of these rules.
void registerConvolutionKernels(torch::Library& kernels);

} // namespace headroom::collectors
