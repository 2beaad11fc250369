// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::collectors {

/// Tensors that take turns: as many copies as fill the caches, but at most sixteen.
class Rotation {
public:
    explicit Rotation(const at::Tensor& first);
    const at::Tensor& next();

private:
    std::vector<at::Tensor> m_tensors;
    std::size_t m_next = 0;
};

} // namespace headroom::collectors
