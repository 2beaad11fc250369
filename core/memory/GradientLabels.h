// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::tensor {

/// While it lives, each gradient of the parameters is labelled as a gradient when it is accumulated; existing gradients
/// are labelled at once. Needs an active MemoryAttribution that knows the parameters' model.
class GradientLabels {
public:
    explicit GradientLabels(std::vector<at::Tensor> parameters);
    ~GradientLabels();
    GradientLabels(const GradientLabels&) = delete;
    GradientLabels& operator=(const GradientLabels&) = delete;

private:
    std::vector<at::Tensor> m_parameters;
};

} // namespace headroom::tensor
