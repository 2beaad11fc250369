// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <string>
#include <utility>
#include <vector>

namespace headroom::models {

/// A module whose own buffers are no part of a model's files: it makes them when it is built.
class NonSavedBuffers {
public:
    virtual ~NonSavedBuffers() = default;
};

/// The buffers that belong into a model's files, by their dotted names.
std::vector<std::pair<std::string, at::Tensor>> savedBuffers(const torch::nn::Module& model);

} // namespace headroom::models
