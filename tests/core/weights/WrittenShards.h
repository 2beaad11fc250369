// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/weights/Safetensors.h"
#include "tests/support/TextFiles.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::tensor {

/// Writes weights as diffusers does where they are too many for one file: shards in the given order, none of more than
/// `mostBytes` but those of one large tensor, and their index. Creates the folder.
inline void writeShards(const std::filesystem::path& folder, const NamedTensors& weights, Bytes mostBytes)
{
    std::filesystem::create_directories(folder);
    std::vector<NamedTensors> shards(1);
    Bytes filled = 0;
    for (const auto& weight : weights) {
        const auto bytes = static_cast<Bytes>(weight.second.nbytes());
        if (!shards.back().empty() && filled + bytes > mostBytes) {
            shards.emplace_back();
            filled = 0;
        }
        shards.back().push_back(weight);
        filled += bytes;
    }
    const auto number = [](std::size_t value) {
        const std::string digits = std::to_string(value);
        return std::string(5 - digits.size(), '0') + digits;
    };
    nlohmann::json files = nlohmann::json::object();
    for (std::size_t i = 0; i < shards.size(); ++i) {
        const std::string name =
            "diffusion_pytorch_model-" + number(i + 1) + "-of-" + number(shards.size()) + ".safetensors";
        writeSafetensors(folder / name, shards[i], {{"format", "pt"}});
        for (const auto& [key, tensor] : shards[i])
            files[key] = name;
    }
    const nlohmann::json index{{"metadata", nlohmann::json::object()}, {"weight_map", files}};
    writeText(folder / "diffusion_pytorch_model.safetensors.index.json", index.dump());
}

} // namespace headroom::tensor
