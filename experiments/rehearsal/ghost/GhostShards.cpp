// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/ghost/GhostShards.h"

#include "core/base/Error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace headroom::experiments {
namespace {

struct WeightType {
    std::string torch;
    std::string safetensors;
    Bytes bytes = 0;
};

const std::vector<WeightType>& weightTypes()
{
    static const std::vector<WeightType> types{{"float32", "F32", 4}, {"bfloat16", "BF16", 2}, {"float16", "F16", 2},
        {"float64", "F64", 8}, {"float8_e4m3fn", "F8_E4M3", 1}, {"int64", "I64", 8}};
    return types;
}

const WeightType& typeNamed(const std::string& name, std::string WeightType::* field, const std::string& where)
{
    const auto found = std::ranges::find(weightTypes(), name, field);
    if (found == weightTypes().end())
        throw UsageError(
            "found the type \"" + name + "\"", where, "bfloat16, float16, float32, float64, float8_e4m3fn");
    return *found;
}

void nameShards(std::vector<GhostShard>& shards, const std::string& stem)
{
    for (std::size_t i = 0; i < shards.size(); ++i)
        shards[i].file = shards.size() == 1 ? stem + ".safetensors"
                                            : fmt::format("{}-{:05}-of-{:05}.safetensors", stem, i + 1, shards.size());
}

// Eight bytes, the lowest first.
std::string littleEndian(std::uint64_t number)
{
    std::string bytes;
    for (int i = 0; i < 8; ++i)
        bytes += static_cast<char>(number >> (8 * i) & 0xFF);
    return bytes;
}

std::vector<const GhostTensor*> inFileOrder(const GhostShard& shard, const std::string& where)
{
    std::vector<const GhostTensor*> order;
    for (const GhostTensor& tensor : shard.tensors)
        order.push_back(&tensor);
    std::ranges::sort(order, {}, [&](const GhostTensor* tensor) {
        return std::pair(-typeNamed(tensor->dtype, &WeightType::safetensors, where).bytes, tensor->name);
    });
    return order;
}

} // namespace

std::string safetensorsTypeOf(const std::string& torchName, const std::string& where)
{
    return typeNamed(torchName, &WeightType::torch, where).safetensors;
}

std::int64_t ghostTensorElements(const GhostTensor& tensor, const std::string& where)
{
    std::int64_t elements = 1;
    for (const std::int64_t extent : tensor.shape)
        elements = ghostProduct(elements, extent, where + ": " + tensor.name);
    return elements;
}

Bytes ghostTensorBytes(const GhostTensor& tensor, const std::string& where)
{
    const Bytes each = typeNamed(tensor.dtype, &WeightType::safetensors, where).bytes;
    return ghostProduct(ghostTensorElements(tensor, where), each, where + ": " + tensor.name);
}

std::vector<GhostShard> dealToShards(
    const std::vector<GhostTensor>& tensors, const std::string& stem, Bytes most, const std::string& where)
{
    std::vector<GhostShard> shards;
    GhostShard open;
    for (const GhostTensor& tensor : tensors) {
        const Bytes bytes = ghostTensorBytes(tensor, where);
        if (bytes > most) {
            shards.push_back({{}, {tensor}, bytes});
            continue;
        }
        if (ghostSum(open.dataBytes, bytes, where) > most)
            shards.push_back(std::exchange(open, {}));
        open.tensors.push_back(tensor);
        open.dataBytes += bytes;
    }
    if (!open.tensors.empty())
        shards.push_back(std::move(open));
    nameShards(shards, stem);
    return shards;
}

// As text: the library's ordered objects compare each new key with all others.
std::string ghostHeader(const GhostShard& shard, const std::string& where)
{
    std::string text = R"({"__metadata__":{"format":"pt"})";
    Bytes begin = 0;
    for (const GhostTensor* tensor : inFileOrder(shard, where)) {
        const Bytes end = begin + ghostTensorBytes(*tensor, where);
        const nlohmann::ordered_json entry{
            {"dtype", tensor->dtype}, {"shape", tensor->shape}, {"data_offsets", {begin, end}}};
        text += "," + nlohmann::json(tensor->name).dump() + ":" + entry.dump();
        begin = end;
    }
    text += "}";
    text.resize((text.size() + 7) / 8 * 8, ' '); // so that the data stay aligned
    return littleEndian(text.size()) + text;
}

std::string ghostIndex(const std::vector<GhostShard>& shards, const std::string& where)
{
    std::map<std::string, std::string> fileOf;
    Bytes bytes = 0;
    std::int64_t parameters = 0;
    for (const GhostShard& shard : shards) {
        bytes = ghostSum(bytes, shard.dataBytes, where);
        for (const GhostTensor& tensor : shard.tensors) {
            fileOf.emplace(tensor.name, shard.file);
            parameters = ghostSum(parameters, ghostTensorElements(tensor, where), where);
        }
    }
    const nlohmann::ordered_json index{
        {"metadata", {{"total_parameters", parameters}, {"total_size", bytes}}}, {"weight_map", fileOf}};
    return index.dump(2) + "\n";
}

} // namespace headroom::experiments
