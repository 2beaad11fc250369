// SPDX-License-Identifier: Apache-2.0
#include "core/models/SavedBuffers.h"

namespace headroom::models {

std::vector<std::pair<std::string, at::Tensor>> savedBuffers(const torch::nn::Module& model)
{
    std::vector<std::pair<std::string, at::Tensor>> result;
    const auto add = [&](const std::string& path, const torch::nn::Module& module) {
        if (dynamic_cast<const NonSavedBuffers*>(&module) != nullptr)
            return;
        for (const auto& item : module.named_buffers(/*recurse=*/false))
            result.emplace_back(path.empty() ? item.key() : path + "." + item.key(), item.value());
    };
    add({}, model);
    for (const auto& item : model.named_modules({}, /*include_self=*/false))
        add(item.key(), *item.value());
    return result;
}

} // namespace headroom::models
