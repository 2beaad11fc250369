// SPDX-License-Identifier: Apache-2.0
#include "core/weights/ModelFolder.h"

#include "core/base/Error.h"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <regex>

namespace headroom::tensor {
namespace {

using Json = nlohmann::json;

constexpr const char* kConfig = "config.json";
constexpr const char* kStem = "diffusion_pytorch_model";
constexpr const char* kWeights = "diffusion_pytorch_model.safetensors";
constexpr const char* kIndex = "diffusion_pytorch_model.safetensors.index.json";

Json parsedFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file)
        throw FileError("cannot be read", path.string());
    Json json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        throw FileError("is no JSON object", path.string());
    return json;
}

void writeText(const std::filesystem::path& path, const Json& json)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << json.dump(2) << '\n';
    file.flush();
    if (!file)
        throw FileError("cannot be written", path.string());
}

void createFolder(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw FileError("cannot be created: " + error.message(), folder.string());
}

Json toJson(const config::Value& value)
{
    if (value.isBoolean())
        return value.boolean();
    if (value.isInteger())
        return value.integer();
    if (value.isReal())
        return value.real();
    if (value.isText())
        return value.text();
    if (value.isNull())
        return nullptr;
    Json list = Json::array();
    for (const config::Value& item : value.list())
        list.push_back(toJson(item));
    return list;
}

bool isFlat(const Json& value)
{
    return !value.is_object()
        && (!value.is_array() || std::ranges::none_of(value, [](const Json& item) { return item.is_structured(); }));
}

config::Value toValue(const Json& json)
{
    if (json.is_boolean())
        return json.get<bool>();
    // An integer that no field could hold is a number all the same.
    if (json.is_number_integer() && !(json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX))
        return json.get<std::int64_t>();
    if (json.is_number())
        return json.get<double>();
    if (json.is_string())
        return json.get<std::string>();
    config::Value::List list;
    if (json.is_null())
        return {};
    for (const Json& item : json)
        list.push_back(toValue(item));
    return list;
}

std::vector<NamedTensors> shardsOf(const NamedTensors& weights, Bytes maxShardBytes)
{
    std::vector<NamedTensors> shards(1);
    Bytes filled = 0;
    for (const auto& weight : weights) {
        const auto bytes = static_cast<Bytes>(weight.second.nbytes());
        if (!shards.back().empty() && filled + bytes > maxShardBytes) {
            shards.emplace_back();
            filled = 0;
        }
        shards.back().push_back(weight);
        filled += bytes;
    }
    return shards;
}

std::string shardName(std::size_t index, std::size_t count)
{
    char name[96];
    std::snprintf(name, sizeof name, "%s-%05zu-of-%05zu.safetensors", kStem, index + 1, count);
    return name;
}

Json writeShards(const std::filesystem::path& folder, const std::vector<NamedTensors>& shards)
{
    Json files = Json::object();
    Bytes total = 0;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        const std::string name = shardName(i, shards.size());
        writeSafetensors(folder / name, shards[i], {{"format", "pt"}});
        for (const auto& [key, tensor] : shards[i]) {
            files[key] = name;
            total += static_cast<Bytes>(tensor.nbytes());
        }
    }
    return {{"metadata", {{"total_size", total}}}, {"weight_map", files}};
}

// The whole in one file, or a shard; variants, as of another type, have something else between stem and end.
bool isOfAnySave(const std::string& name)
{
    static const std::regex shard(std::string(kStem) + R"((-\d{5}-of-\d{5})?\.safetensors)");
    return name == kIndex || std::regex_match(name, shard);
}

// An older save with another number of shards would be read in place of this one.
void removeOthers(const std::filesystem::path& folder, const std::vector<std::string>& written)
{
    std::error_code ignored;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        const std::string name = file.path().filename().string();
        if (isOfAnySave(name) && std::ranges::find(written, name) == written.end())
            std::filesystem::remove(file.path(), ignored);
    }
}

} // namespace

void writeModelConfig(const std::filesystem::path& folder, const config::ValueMap& entries)
{
    createFolder(folder);
    Json json = Json::object();
    for (const auto& [name, value] : entries)
        json[name] = toJson(value);
    writeText(folder / kConfig, json);
}

config::ValueMap readModelConfig(const std::filesystem::path& folder)
{
    config::ValueMap entries;
    const Json json = parsedFile(folder / kConfig);
    for (const auto& [name, value] : json.items())
        if (isFlat(value))
            entries.emplace(name, toValue(value));
    return entries;
}

void writeWeights(const std::filesystem::path& folder, const NamedTensors& weights, Bytes maxShardBytes)
{
    if (maxShardBytes < 1)
        throw UsageError("a shard of " + std::to_string(maxShardBytes) + " bytes", "maximal shard size", "at least 1");
    createFolder(folder);
    const std::vector<NamedTensors> shards = shardsOf(weights, maxShardBytes);
    std::vector<std::string> written{kWeights};
    if (shards.size() == 1) {
        writeSafetensors(folder / kWeights, weights, {{"format", "pt"}});
    } else {
        writeText(folder / kIndex, writeShards(folder, shards));
        written = {kIndex};
        for (std::size_t i = 0; i < shards.size(); ++i)
            written.push_back(shardName(i, shards.size()));
    }
    removeOthers(folder, written);
}

} // namespace headroom::tensor
