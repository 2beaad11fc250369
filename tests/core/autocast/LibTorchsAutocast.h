// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"
#include "tests/support/torch/TestDevice.h"

#include <ATen/autocast_mode.h>

namespace headroom::tensor {

/// LibTorch's own autocast on the test device, while it lives. Meta has none.
class LibTorchsAutocast {
public:
    explicit LibTorchsAutocast(c10::ScalarType type)
    {
        at::autocast::increment_nesting();
        at::autocast::set_autocast_enabled(testDevice().type(), true);
        at::autocast::set_autocast_dtype(testDevice().type(), type);
    }
    ~LibTorchsAutocast()
    {
        if (at::autocast::decrement_nesting() == 0)
            at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(testDevice().type(), false);
        at::autocast::set_autocast_dtype(testDevice().type(), at::kBFloat16);
    }
    LibTorchsAutocast(const LibTorchsAutocast&) = delete;
    LibTorchsAutocast& operator=(const LibTorchsAutocast&) = delete;
};

} // namespace headroom::tensor
