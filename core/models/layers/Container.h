// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::models {

/// A module that only has children: upstream's lists and sequences have no parameters of their own.
class Container : public torch::nn::Module { };

} // namespace headroom::models
