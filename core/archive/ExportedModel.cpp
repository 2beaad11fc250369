// SPDX-License-Identifier: Apache-2.0
#include "core/archive/ExportedModel.h"

#include "core/archive/ArchiveJson.h"
#include "core/archive/CaptureNotes.h"
#include "core/archive/FreeDimensions.h"
#include "core/archive/GraphChecks.h"
#include "core/archive/GraphReader.h"
#include "core/archive/MaskedFills.h"
#include "core/archive/OutputNames.h"
#include "core/archive/SplicedGraph.h"
#include "core/archive/ZipFile.h"
#include "core/base/Error.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace headroom::archive {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestJson = 128 << 20;
constexpr const char* kModel = "models/model.json";
constexpr const char* kOldModel = "serialized_exported_program.json";
constexpr const char* kNotes = "extra/headroom.json";
constexpr int kSchemaMajor = 8;

// What of tensors and nodes is never read, most of a large file.
const LeftOut kNotRead{{"device", "dtype"}, {"is_hop_single_tensor_return", "target"}, {"kind", "name"},
    {"layout", "dtype"}, {"storage_offset", "dtype"}, {"strides", "dtype"}, {"torch_fn", "stack_trace"}};

struct Folder {
    const char* config;
    const char* values;
};
constexpr Folder kWeights{"data/weights/model_weights_config.json", "data/weights/"};
constexpr Folder kConstants{"data/constants/model_constants_config.json", "data/constants/"};

class ArchiveReader {
public:
    explicit ArchiveReader(const fs::path& file)
        : m_zip(file)
        , m_where(file.string() + ": " + kModel)
    {
    }

    std::shared_ptr<const ExportedModel> read()
    {
        requireCurrentLayout();
        const Json model = json(kModel, kNotRead);
        requireSchema(model);
        m_model.file = m_zip.path();
        m_model.contentId = m_zip.contentId();
        if (const auto version = model.find("torch_version"); version != model.end() && version->is_string())
            m_model.torchVersion = version->get<std::string>();
        if (m_zip.has(kNotes))
            m_model.notes = readCaptureNotes(json(kNotes), m_zip.path().string() + ": " + kNotes);
        const Json& module = member(model, "graph_module", m_where);
        const std::string graph = m_where + ": graph_module.graph";
        m_model.graph = spliced(readGraph(member(module, "graph", m_where + ": graph_module"), graph), graph);
        makeMaskedFills(m_model.graph);
        readSignature(member(module, "signature", m_where + ": graph_module"), outputNamesOf(model));
        requireSoundModel(m_model, m_where);
        readGuards(model);
        m_model.dimensions = freeDimensionsOf(m_model.inputs, ranges(model));
        requireSoundSizes(m_model, m_where);
        applyTies();
        m_model.remarks = remarksOn(m_model);
        return std::make_shared<ExportedModel>(std::move(m_model));
    }

private:
    Json json(const std::string& entry, const LeftOut& leftOut = {}) const
    {
        return parseJson(m_zip.text(entry, kLargestJson), m_zip.path().string() + ": " + entry, leftOut);
    }

    void requireCurrentLayout() const
    {
        if (!m_zip.has(kModel) && m_zip.has(kOldModel))
            throw FileError("has the files that torch.export.save wrote up to torch 2.7", m_zip.path().string(),
                "those of torch 2.8 and newer, or of headroom_capture.py (headroom models --capture-script), which "
                "writes them "
                "with torch 2.6 and newer");
    }

    void requireSchema(const Json& model) const
    {
        const Json& version = member(model, "schema_version", m_where);
        const Json& major = member(version, "major", m_where + ": schema_version");
        if (major != kSchemaMajor)
            throw FileError("has the schema version " + (major.is_structured() ? "?" : major.dump()), m_where,
                "8, as torch 2.6 and newer write it");
    }

    void readSignature(const Json& signature, const std::vector<std::string>& names)
    {
        const std::string where = m_where + ": signature.input_specs";
        for (const Json& spec : member(signature, "input_specs", m_where + ": signature")) {
            const auto [kind, value] = unionOf(spec, where);
            if (kind == "user_input")
                addUserInput(member(*value, "arg", where), where);
            else if (kind == "parameter")
                addStored(StoredKind::Parameter, *value, "parameter_name", where);
            else if (kind == "buffer")
                addStored(StoredKind::Buffer, *value, "buffer_name", where);
            else if (kind == "tensor_constant")
                addStored(StoredKind::Constant, *value, "tensor_constant_name", where);
            else if (kind == "constant_input")
                addFixedInput(*value);
            else
                throw FileError("has an input of the kind \"" + kind.substr(0, 60) + "\"", where,
                    "parameter, buffer, tensor_constant, user_input, constant_input");
        }
        std::size_t leaf = 0;
        for (const Json& spec : member(signature, "output_specs", m_where + ": signature")) {
            const auto [kind, value] = unionOf(spec, where);
            if (kind != "user_output" && kind != "loss_output")
                continue;
            const auto [form, argument] = unionOf(member(*value, "arg", where), where);
            if (form == "as_tensor")
                m_model.outputs.push_back(textMember(*argument, "name", where));
            if (form == "as_tensor" && leaf < names.size() && !names[leaf].empty())
                m_model.outputNames.emplace(m_model.outputs.back(), names[leaf]);
            ++leaf;
        }
    }

    void addUserInput(const Json& argument, const std::string& where)
    {
        const auto [kind, value] = unionOf(argument, where);
        if (kind == "as_tensor") {
            const std::string name = textMember(*value, "name", where);
            const auto info = m_model.graph.tensors.find(name);
            if (info == m_model.graph.tensors.end())
                throw FileError("has an input \"" + name + "\" without a description", where, "one in tensor_values");
            m_model.inputs.push_back({name, info->second});
        } else if (kind == "as_sym_int" && value->contains("as_name")) {
            const std::string name = textMember(*value, "as_name", where);
            const auto size = m_model.graph.numbers.find(name);
            m_model.inputs.push_back({name, std::nullopt, size == m_model.graph.numbers.end() ? Size{} : size->second});
        }
    }

    // None is left out: it says that an argument was not given.
    void addFixedInput(const Json& spec)
    {
        const auto name = spec.find("name");
        const auto value = spec.find("value");
        if (!spec.is_object() || name == spec.end() || !name->is_string() || value == spec.end() || !value->is_object()
            || value->size() != 1)
            return;
        FixedInput input{name->get<std::string>(), {}};
        const Json& constant = *value->begin();
        if (constant.is_boolean())
            input.value = constant.get<bool>();
        else if (constant.is_number_integer())
            input.value = constant.get<std::int64_t>();
        else if (constant.is_number_float())
            input.value = constant.get<double>();
        else if (constant.is_string())
            input.value = constant.get<std::string>();
        else
            return;
        m_model.fixedInputs.push_back(std::move(input));
    }

    void addStored(StoredKind kind, const Json& value, const char* key, const std::string& where)
    {
        StoredTensor stored;
        stored.kind = kind;
        stored.name = textMember(value, key, where);
        stored.value = textMember(member(value, "arg", where), "name", where);
        const bool isWeight = configOf(kWeights).contains(stored.name);
        const Folder& folder = isWeight ? kWeights : kConstants;
        const Json& entry = member(configOf(folder), stored.name.c_str(), m_zip.path().string() + ": " + folder.config);
        const std::string place = m_zip.path().string() + ": " + folder.config + ": " + stored.name;
        const Json& meta = member(entry, "tensor_meta", place);
        stored.info = readTensorInfo(meta, place);
        readStrides(meta, place, stored);
        readValuesPlace(folder, entry, meta, place, stored);
        m_model.tensors.push_back(std::move(stored));
    }

    void readValuesPlace(
        const Folder& folder, const Json& entry, const Json& meta, const std::string& place, StoredTensor& stored)
    {
        const std::string file = folder.values + textMember(entry, "path_name", place);
        const auto found = m_zip.entries().find(file);
        if (const auto pickled = entry.find("use_pickle"); pickled != entry.end() && *pickled == true)
            throw FileError("is stored as a pickle, which is never read", place, "a plain tensor");
        if (const auto offset = meta.find("storage_offset"); offset != meta.end() && offset->is_object()
            && offset->contains("as_int") && offset->at("as_int").is_number_unsigned())
            stored.offsetElements = offset->at("as_int").get<std::int64_t>();
        if (found == m_zip.entries().end() || found->second.bytes == 0)
            return; // exported on meta
        stored.entry = file;
        const auto [first, isFirst] = m_firstOfEntry.emplace(file + formOf(stored), stored.name);
        if (!isFirst)
            stored.tiedTo = first->second;
    }

    // Tensors of one file are the same only if they begin at one place and have one shape.
    static std::string formOf(const StoredTensor& stored)
    {
        std::string form = " from " + std::to_string(stored.offsetElements) + ":";
        for (const Size& size : stored.info.sizes)
            form += " " + std::to_string(size.example);
        for (const std::int64_t stride : stored.strides)
            form += " / " + std::to_string(stride);
        return form;
    }

    static void readStrides(const Json& meta, const std::string& place, StoredTensor& stored)
    {
        const auto strides = meta.find("strides");
        if (strides == meta.end() || !strides->is_array())
            return;
        for (const Json& stride : *strides)
            stored.strides.push_back(readStride(stride, place));
        if (stored.strides.size() != stored.info.sizes.size())
            throw FileError("has " + std::to_string(stored.strides.size()) + " strides for "
                    + std::to_string(stored.info.sizes.size()) + " sizes",
                place, "one for each");
    }

    static std::int64_t readStride(const Json& stride, const std::string& place)
    {
        const auto value = stride.is_object() ? stride.find("as_int") : stride.end();
        if (!stride.is_object() || value == stride.end() || !value->is_number_unsigned()
            || value->get<std::uint64_t>() > INT64_MAX)
            throw FileError("has a stride that is no size", place + ".strides", "as_int, 0 or more");
        return value->get<std::int64_t>();
    }

    const Json& configOf(const Folder& folder)
    {
        Json& config = m_configs[folder.config];
        if (config.is_null() && m_zip.has(folder.config)) {
            const Json whole = json(folder.config);
            config = member(whole, "config", m_zip.path().string() + ": " + folder.config);
        }
        if (!config.is_object())
            config = Json::object();
        return config;
    }

    void readGuards(const Json& model)
    {
        const auto guards = model.find("guards_code");
        if (guards != model.end() && guards->is_array())
            for (const Json& guard : *guards)
                if (guard.is_string())
                    m_model.guards.push_back(guard.get<std::string>());
    }

    static SymbolRanges ranges(const Json& model)
    {
        SymbolRanges ranges;
        const auto found = model.find("range_constraints");
        if (found == model.end() || !found->is_object())
            return ranges;
        const auto limit = [](const Json& range, const char* key) -> std::optional<std::int64_t> {
            const auto value = range.find(key);
            if (value == range.end() || !value->is_number_integer())
                return std::nullopt;
            return value->get<std::int64_t>();
        };
        for (const auto& [symbol, range] : found->items())
            if (range.is_object())
                ranges.emplace(symbol, std::pair(limit(range, "min_val"), limit(range, "max_val")));
        return ranges;
    }

    void applyTies()
    {
        std::set<std::string> names;
        for (const StoredTensor& stored : m_model.tensors)
            names.insert(stored.name);
        std::set<std::string> own = names; // that no other name stands for: no circle
        for (StoredTensor& stored : m_model.tensors)
            if (const auto tied = m_model.notes.tied.find(stored.name);
                tied != m_model.notes.tied.end() && own.contains(tied->second) && tied->second != stored.name) {
                stored.tiedTo = tied->second;
                own.erase(stored.name);
            }
    }

    ZipFile m_zip;
    std::string m_where;
    ExportedModel m_model;
    std::map<std::string, Json> m_configs;
    std::map<std::string, std::string> m_firstOfEntry;
};

struct Known {
    fs::file_time_type changed;
    std::uintmax_t bytes = 0;
    std::shared_ptr<const ExportedModel> model;
};

} // namespace

SymbolValues ExportedModel::symbols(const std::map<std::string, std::int64_t>& shapes) const
{
    SymbolValues values;
    for (const FreeDimension& dimension : dimensions) {
        const auto given = shapes.find(dimension.name);
        values.emplace(dimension.symbol, given == shapes.end() ? dimension.example : given->second);
    }
    return values;
}

const StoredTensor* ExportedModel::findStored(const std::string& value) const
{
    const auto found = std::ranges::find(tensors, value, &StoredTensor::value);
    return found == tensors.end() ? nullptr : &*found;
}

std::shared_ptr<const ExportedModel> loadExportedModel(const fs::path& file)
{
    return ArchiveReader(file).read();
}

std::shared_ptr<const ExportedModel> readExportedModel(const fs::path& file)
{
    static std::mutex mutex;
    static std::map<fs::path, Known> known;
    std::error_code unreachable;
    const fs::path path = fs::absolute(file, unreachable).lexically_normal();
    Known now{fs::last_write_time(path, unreachable), fs::file_size(path, unreachable), nullptr};
    const std::scoped_lock lock(mutex);
    Known& before = known[path];
    if (!before.model || before.changed != now.changed || before.bytes != now.bytes) {
        now.model = loadExportedModel(path);
        before = std::move(now);
    }
    return before.model;
}

} // namespace headroom::archive
