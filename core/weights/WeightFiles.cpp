// SPDX-License-Identifier: Apache-2.0
#include "core/weights/WeightFiles.h"

#include "core/base/Error.h"
#include "core/weights/SafetensorsJson.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headroom::tensor {
namespace {

using Json = nlohmann::json;
using Paths = std::vector<std::filesystem::path>;

constexpr const char* kEnding = ".safetensors";
// An index is an object of objects.
constexpr int kDeepestIndex = 4;
constexpr Bytes kMaxIndexBytes = 100'000'000;

// Upstream's names, in the order in which it looks for them.
const std::vector<std::string> kNames{"diffusion_pytorch_model.safetensors",
    "diffusion_pytorch_model.safetensors.index.json", "model.safetensors", "model.safetensors.index.json"};

bool isIndex(const std::filesystem::path& file)
{
    const std::string name = file.filename().string();
    return name.ends_with(".json") && name.find(kEnding) != std::string::npos;
}

Paths filesOf(const std::filesystem::path& folder)
{
    Paths files;
    std::error_code failure;
    for (const auto& file : std::filesystem::directory_iterator(folder, failure))
        if (isIndex(file.path()) || file.path().filename().string().ends_with(kEnding))
            files.push_back(file.path());
    if (failure)
        throw FileError("cannot be listed: " + failure.message(), folder.string());
    std::ranges::sort(files);
    return files;
}

std::string listed(const Paths& files)
{
    std::string names;
    for (const auto& file : files)
        names += (names.empty() ? "" : ", ") + file.filename().string();
    return names;
}

// Upstream's names first; otherwise what is unambiguous: the only index, or the only file.
std::filesystem::path chosenOf(const std::filesystem::path& folder)
{
    for (const std::string& name : kNames)
        if (std::error_code ignored; std::filesystem::exists(folder / name, ignored))
            return folder / name;
    const Paths files = filesOf(folder);
    Paths indices;
    std::ranges::copy_if(files, std::back_inserter(indices), isIndex);
    if (indices.size() == 1)
        return indices.front();
    if (files.size() == 1)
        return files.front();
    if (files.empty())
        throw FileError("has no weights", folder.string(), kNames[0] + " or " + kNames[1]);
    throw FileError("has several files of weights: " + listed(files), folder.string(), "the path of one of them");
}

// Deeply nested JSON would be destroyed recursively.
Json parsedIndex(const std::filesystem::path& index)
{
    const MappedFile file(index);
    if (file.size() > kMaxIndexBytes)
        throw FileError("is too large for an index", index.string(), std::to_string(kMaxIndexBytes) + " bytes at most");
    const auto text = file.map(0, file.size());
    const auto watch = [&](int depth, Json::parse_event_t, Json&) {
        if (depth > kDeepestIndex)
            throw FileError("is nested deeper than an index is", index.string());
        return true;
    };
    Json json = Json::parse(text->data().begin(), text->data().end(), watch, false);
    if (!json.is_object())
        throw FileError("is no JSON object", index.string());
    return json;
}

} // namespace

WeightFiles::WeightFiles(const std::filesystem::path& path)
    : m_where(path.string())
{
    if (std::error_code ignored; std::filesystem::is_directory(path, ignored))
        openFolder(path);
    else if (isIndex(path))
        openShards(path);
    else
        openFile(path);
}

void WeightFiles::openFolder(const std::filesystem::path& folder)
{
    const std::filesystem::path chosen = chosenOf(folder);
    if (isIndex(chosen))
        openShards(chosen);
    else
        openFile(chosen);
}

void WeightFiles::openFile(const std::filesystem::path& file)
{
    const std::string name = file.filename().string();
    const auto opened = m_files.emplace(name, SafetensorsReader(file)).first;
    for (const auto& [tensor, entry] : opened->second.header().tensors)
        m_fileOf.emplace(tensor, name);
}

void WeightFiles::openShards(const std::filesystem::path& index)
{
    const Json json = parsedIndex(index);
    if (!json.contains("weight_map") || !json["weight_map"].is_object())
        throw FileError("has no weight_map", index.string());
    for (const auto& [name, value] : json["weight_map"].items())
        openShard(index, name, value.is_string() ? value.get<std::string>() : std::string());
    requireIndexed(index);
}

void WeightFiles::openShard(const std::filesystem::path& index, const std::string& name, const std::string& file)
{
    if (file.empty() || std::filesystem::path(file).filename() != file || file == "..")
        throw FileError("names no file of its folder for tensor \"" + shownName(name) + "\"", index.string());
    if (!m_files.contains(file))
        m_files.emplace(file, SafetensorsReader(index.parent_path() / file));
    if (!m_files.at(file).header().tensors.contains(name))
        throw FileError(
            "says that tensor \"" + shownName(name) + "\" is in " + file + ", which does not have it", index.string());
    m_fileOf.emplace(name, file);
}

// Tensors missing from the index would otherwise go unnoticed.
void WeightFiles::requireIndexed(const std::filesystem::path& index) const
{
    for (const auto& [file, reader] : m_files)
        for (const auto& [name, entry] : reader.header().tensors) {
            const auto found = m_fileOf.find(name);
            if (found == m_fileOf.end() || found->second != file)
                throw FileError("does not say that tensor \"" + shownName(name) + "\" is in " + file, index.string());
        }
}

std::vector<std::string> WeightFiles::names() const
{
    std::vector<std::string> names;
    for (const auto& [name, file] : m_fileOf)
        names.push_back(name);
    return names;
}

const SafetensorsReader& WeightFiles::readerOf(const std::string& name) const
{
    const auto file = m_fileOf.find(name);
    if (file == m_fileOf.end())
        throw FileError("there is no tensor \"" + shownName(name) + "\"", m_where);
    return m_files.at(file->second);
}

const SafetensorsEntry& WeightFiles::entry(const std::string& name) const
{
    return readerOf(name).header().tensors.at(name);
}

at::Tensor WeightFiles::read(const std::string& name) const
{
    return readerOf(name).read(name);
}

at::Tensor WeightFiles::view(const std::string& name) const
{
    return readerOf(name).view(name);
}

} // namespace headroom::tensor
