// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/ghost/GhostCheckpoint.h"

#include "core/base/Error.h"
#include "core/protocol/ModelConfigFile.h"
#include "core/toml/InputText.h"
#include "experiments/rehearsal/ghost/GhostShards.h"
#include "experiments/rehearsal/ghost/GhostTokenizer.h"
#include "experiments/rehearsal/ghost/UpstreamConfig.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;
using OrderedFile = nlohmann::ordered_json;

// As published: transformers cut checkpoints at 5 GB for years (v5 cuts at 50 GB), diffusers at 10 GB.
constexpr Bytes kTransformersShard = 5'000'000'000;
constexpr Bytes kDiffusersShard = 10'000'000'000;

constexpr const char* kConfigFile = "config.json";
constexpr const char* kPipelineFile = "model_index.json";

// What a folder has beside weights is small; what is larger is no part of a checkpoint that loading reads.
constexpr std::uintmax_t kLargestCopy = 64 << 20;
const std::set<std::string> kWeightEndings{
    ".bin", ".ckpt", ".gguf", ".h5", ".msgpack", ".onnx", ".ot", ".pt", ".pth", ".safetensors", ".zip"};
const std::set<std::string> kVocabularyFiles{"sentencepiece.bpe.model", "spiece.model", "spm.model", "tokenizer.json",
    "tokenizer.model", "vocab.json", "vocab.txt"};

std::string fileText(const fs::path& file)
{
    return readInputText(file, "a model's file", "a file of text");
}

bool isCopied(const fs::directory_entry& entry)
{
    const std::string name = entry.path().filename().string();
    std::error_code unreachable;
    return entry.is_regular_file(unreachable) && entry.file_size(unreachable) <= kLargestCopy && !unreachable
        && !kWeightEndings.contains(entry.path().extension().string()) && !name.ends_with(".index.json")
        && !name.starts_with('.');
}

// Names of what stands beside the weights in a folder; none without a folder.
std::set<std::string> copiedFrom(const fs::path& folder)
{
    std::set<std::string> names;
    if (!folder.empty())
        for (const fs::directory_entry& entry : fs::directory_iterator(folder))
            if (isCopied(entry))
                names.insert(entry.path().filename().string());
    return names;
}

// The text with the type that was asked for, under the key that it has. diffusers' files name none.
std::string withDtype(const std::string& text, const std::string& library, const std::string& dtype)
{
    if (dtype.empty() || library != "transformers")
        return text;
    OrderedFile file = OrderedFile::parse(text);
    file[file.contains("dtype") ? "dtype" : "torch_dtype"] = dtype;
    return file.dump(2) + "\n";
}

/// A model as it was found.
struct GhostSource {
    std::string text; ///< of its configuration
    std::string where;
    fs::path folder; ///< with what is copied; empty: nothing
};

/// Fills one folder.
class GhostMaker {
public:
    GhostMaker(const GhostRequest& request, const fs::path& resources)
        : m_request(request)
        , m_catalogue(resources / "ghost")
    {
    }

    GhostCheckpoint make()
    {
        const fs::path source = m_request.source;
        if (std::error_code absent; !fs::exists(source, absent) && !isPath())
            return checkpointOf({upstreamConfigOf(m_request.source, m_catalogue), m_request.source, {}});
        if (fs::is_directory(source) && fs::exists(source / kPipelineFile))
            return pipeline(source);
        return checkpointOf(sourceIn(source));
    }

private:
    bool isPath() const
    {
        return m_request.source.find('/') != std::string::npos || m_request.source.ends_with(".json");
    }

    // A file alone brings nothing along: what lies beside it may belong to anything.
    static GhostSource sourceIn(const fs::path& path)
    {
        const bool isFolder = fs::is_directory(path);
        const fs::path file = isFolder ? path / kConfigFile : path;
        return {fileText(file), file.string(), isFolder ? path : fs::path()};
    }

    GhostCheckpoint checkpointOf(const GhostSource& source)
    {
        prepare(source, "");
        return written();
    }

    GhostCheckpoint pipeline(const fs::path& folder)
    {
        const std::string where = (folder / kPipelineFile).string();
        m_texts.emplace_back(kPipelineFile, fileText(folder / kPipelineFile));
        const config::ValueMap parts = protocol::modelConfigFromText(m_texts.back().second, where);
        const std::vector<std::string> known = m_catalogue.classNames();
        for (const auto& [name, value] : parts) {
            const bool isPart = value.isList() && value.list().size() == 2 && value.list()[1].isText();
            if (!isPart)
                continue;
            const fs::path part = folder / name;
            if (fs::exists(part / kConfigFile) || std::ranges::find(known, value.list()[1].text()) != known.end())
                prepare(sourceIn(part), name);
            else if (fs::is_directory(part))
                copy(part, name);
        }
        if (m_checkpoint.models.empty())
            throw UsageError("names no part with a config.json beside it", where);
        return written();
    }

    // Everything is worked out before anything is written.
    void prepare(const GhostSource& source, const std::string& below)
    {
        const config::ValueMap entries = protocol::modelConfigFromText(source.text, source.where);
        const auto [description, className] = m_catalogue.find(entries, source.where);
        const GhostConfiguration configuration(*description, className, entries, source.where);
        addWeights(configuration, className, below);
        copy(source.folder, below);
        replace(below, kConfigFile, withDtype(source.text, description->library, m_request.dtype));
        if (description->generates)
            addMissing(below, "generation_config.json", generationSettings(configuration));
        for (const auto& [name, text] : description->files)
            addMissing(below, name, text.of(configuration.names()));
        addTokenizer(configuration, source, below);
    }

    void addWeights(const GhostConfiguration& configuration, const std::string& className, const std::string& below)
    {
        const GhostDescription& description = configuration.description();
        const std::string& where = configuration.where();
        const bool isTransformers = description.library == "transformers";
        std::string dtype = m_request.dtype.empty() ? configuration.dtype() : m_request.dtype;
        dtype = dtype.empty() ? "float32" : dtype;
        const std::string type = safetensorsTypeOf(dtype, m_request.dtype.empty() ? where + ": dtype" : "--dtype");
        std::vector<GhostTensor> tensors =
            ghostTensors(description.layout, m_catalogue.layers(), configuration.names());
        GhostModel model{below, className, description.library, dtype, std::ssize(tensors)};
        for (GhostTensor& tensor : tensors) {
            tensor.dtype = tensor.dtype.empty() ? type : tensor.dtype;
            model.parameters = ghostSum(model.parameters, ghostTensorElements(tensor, where), where);
            model.bytes = ghostSum(model.bytes, ghostTensorBytes(tensor, where), where);
        }
        const Bytes most = m_request.shardBytes.value_or(isTransformers ? kTransformersShard : kDiffusersShard);
        const std::string stem = isTransformers ? "model" : "diffusion_pytorch_model";
        std::vector<GhostShard> shards = dealToShards(tensors, stem, most, where);
        if (shards.size() > 1)
            replace(below, stem + ".safetensors.index.json", ghostIndex(shards, where));
        for (GhostShard& shard : shards)
            m_shards.emplace_back(nameBelow(below, shard.file), std::move(shard));
        m_checkpoint.models.push_back(std::move(model));
    }

    void addTokenizer(const GhostConfiguration& configuration, const GhostSource& source, const std::string& below)
    {
        const std::set<std::string> given = copiedFrom(source.folder);
        const bool isGiven =
            std::ranges::any_of(given, [](const auto& name) { return kVocabularyFiles.contains(name); });
        if (isGiven || !below.empty()) // a pipeline's tokenizers are parts of their own
            return;
        for (const auto& [name, text] : ghostTokenizer(configuration)) {
            addMissing(below, name, text);
            m_checkpoint.hasOwnTokenizer = true;
        }
    }

    static std::string generationSettings(const GhostConfiguration& configuration)
    {
        OrderedFile settings{{"_from_model_config", true}};
        for (const char* key : {"bos_token_id", "decoder_start_token_id", "eos_token_id", "pad_token_id"})
            if (const config::Value value = configuration.find(key); !value.isNull())
                settings[key] = OrderedFile::parse(config::toToml(value));
        return settings.dump(2) + "\n";
    }

    static std::string nameBelow(const std::string& below, const std::string& name)
    {
        return below.empty() ? name : below + "/" + name;
    }

    void copy(const fs::path& from, const std::string& below)
    {
        for (const std::string& name : copiedFrom(from))
            replace(below, name, fileText(from / name));
    }

    void replace(const std::string& below, const std::string& name, std::string text)
    {
        const std::string whole = nameBelow(below, name);
        std::erase_if(m_texts, [&](const auto& each) { return each.first == whole; });
        m_texts.emplace_back(whole, std::move(text));
    }

    void addMissing(const std::string& below, const std::string& name, std::string text)
    {
        const std::string whole = nameBelow(below, name);
        if (std::ranges::none_of(m_texts, [&](const auto& each) { return each.first == whole; }))
            m_texts.emplace_back(whole, std::move(text));
    }

    GhostCheckpoint written()
    {
        GhostFolder folder(m_request.folder);
        for (const auto& [name, text] : m_texts)
            folder.write(name, text);
        for (const auto& [name, shard] : m_shards)
            folder.writeHollow(name, ghostHeader(shard, name), shard.dataBytes);
        folder.commit();
        m_checkpoint.files = folder.files();
        std::ranges::sort(m_checkpoint.files, {}, &GhostFile::name);
        return std::move(m_checkpoint);
    }

    const GhostRequest& m_request;
    GhostCatalogue m_catalogue;
    GhostCheckpoint m_checkpoint;
    std::vector<std::pair<std::string, std::string>> m_texts; ///< names below the folder, and contents
    std::vector<std::pair<std::string, GhostShard>> m_shards;
};

} // namespace

std::int64_t GhostCheckpoint::parameters() const
{
    return std::accumulate(models.begin(), models.end(), std::int64_t{0},
        [](std::int64_t sum, const GhostModel& model) { return sum + model.parameters; });
}

Bytes GhostCheckpoint::bytes() const
{
    return std::accumulate(
        files.begin(), files.end(), Bytes{0}, [](Bytes sum, const GhostFile& file) { return sum + file.bytes; });
}

Bytes GhostCheckpoint::diskBytes() const
{
    return std::accumulate(
        files.begin(), files.end(), Bytes{0}, [](Bytes sum, const GhostFile& file) { return sum + file.diskBytes; });
}

GhostCheckpoint makeGhost(const GhostRequest& request, const fs::path& resources)
{
    return GhostMaker(request, resources).make();
}

} // namespace headroom::experiments
