// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// where, which LibTorch lacks on meta and attention by plain ops needs.
void registerSelectKernels(torch::Library& kernels);

} // namespace headroom::collectors
