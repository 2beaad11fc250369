// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <string>
#include <vector>

namespace headroom::models {

/// Dotted names of the buffers that lie in modules of any type but `Computed`, which makes its own when it is built:
/// those of `Computed` are no part of a model's files, and the others would be.
template <typename Computed> std::vector<std::string> buffersOutside(const torch::nn::Module& model)
{
    std::vector<std::string> names;
    const auto add = [&](const std::string& path, const torch::nn::Module& module) {
        if (dynamic_cast<const Computed*>(&module) == nullptr)
            for (const auto& item : module.named_buffers(/*recurse=*/false))
                names.push_back(path + "." + item.key());
    };
    add({}, model);
    for (const auto& item : model.named_modules({}, /*include_self=*/false))
        add(item.key(), *item.value());
    return names;
}

} // namespace headroom::models
