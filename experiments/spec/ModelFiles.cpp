// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/ModelFiles.h"

#include "core/archive/ExportedModel.h"
#include "core/base/Error.h"
#include "core/config/Workload.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/catalogue/Upstream.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/config/imported/ImportedShapes.h"
#include "core/protocol/ModelConfigFile.h"
#include "experiments/spec/SpecSettings.h"
#include "profiling/store/OpenFiles.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

namespace headroom::experiments {
namespace {

const std::string kWorkloadPath = "workload.";

[[noreturn]] void refuse(const config::Value& value, const config::NamedSize& size, const std::string& where)
{
    if (!size.fixedTo)
        throw UsageError("found " + config::toToml(value) + ", and " + size.place
                + " is a size that follows from the model's other sizes",
            where, "the sizes that headroom models FILE.pt2 lists as free");
    const std::string fixed = config::toToml(*size.fixedTo);
    throw UsageError(
        "found " + config::toToml(value) + ", and the model was exported with " + size.place + " fixed to " + fixed,
        where,
        fixed + ", or an export with "
            + (size.remedy.empty() ? size.place + " = " + config::toToml(value) + " in its example" : size.remedy));
}

void requireFixedValue(const config::Value& value, const config::NamedSize& size, const std::string& where)
{
    if (!size.fixedTo || value != *size.fixedTo)
        refuse(value, size, where);
}

void requireFixed(const SpecSetting& setting, const config::NamedSize& size)
{
    if (!setting.value.isList())
        return requireFixedValue(setting.value, size, setting.where);
    for (std::size_t i = 0; i < setting.value.list().size(); ++i)
        requireFixedValue(setting.value.list()[i], size, setting.whereOf(i));
}

void rename(SpecSettings& part, SpecSetting setting, const std::string& path)
{
    const auto other = part.find(path);
    if (other != part.end() && other->second.value != setting.value)
        throw UsageError("found " + config::toToml(setting.value) + ", and " + config::toToml(other->second.value)
                + " for the same size at " + other->second.where,
            setting.where, "one of the two");
    part.erase(setting.path);
    setting.path = path;
    part.insert_or_assign(path, std::move(setting));
}

/// Gives settings of the workload that are sizes of an exported model's inputs the names of their fields:
/// `workload.input_ids.0` becomes `workload.batch` where that is what it is called. A fixed size that is what the
/// export fixed it to is left out. Throws UsageError for another value of a fixed one, with the line of the export that
/// would free it, and for two values of one size.
void nameSizes(SpecSettings& part, const archive::ExportedModel& model)
{
    std::vector<SpecSetting> given;
    for (const auto& [path, setting] : part)
        if (path.starts_with(kWorkloadPath)
            && config::workloadFields().find(path.substr(kWorkloadPath.size())) == nullptr)
            given.push_back(setting);
    for (const SpecSetting& setting : given) {
        const auto size = config::namedSize(model, setting.path.substr(kWorkloadPath.size()));
        if (!size)
            continue;
        if (size->field.empty()) {
            requireFixed(setting, *size);
            part.erase(setting.path);
        } else if (const std::string path = kWorkloadPath + size->field; path != setting.path)
            rename(part, setting, path);
    }
}

namespace fs = std::filesystem;
using config::Value;

constexpr const char* kName = "model.name";
constexpr const char* kConfig = "model.config";
const std::string kArchive = std::string("model.") + config::kArchiveField;
const std::string kWeights = std::string("model.") + config::kWeightsField;

fs::path configFileOf(const fs::path& path)
{
    std::error_code unreachable; // says so when it is read
    return fs::is_directory(path, unreachable) ? path / "config.json" : path;
}

config::DescribedModel modelIn(const fs::path& path)
{
    const fs::path file = configFileOf(path);
    store::requireNotOpenHere(file);
    return config::modelFromUpstream(protocol::readModelConfigFile(file), file.string());
}

// Who opened a pipe or a device would wait for what never comes, or read what never ends.
void requireFileOrFolder(const fs::path& path, const std::string& where)
{
    std::error_code unreachable;
    const fs::file_status status = fs::status(path, unreachable);
    if (status.type() == fs::file_type::not_found)
        throw FileError("there is no " + path.lexically_normal().string(), where);
    if (status.type() == fs::file_type::none)
        throw FileError(path.string() + " cannot be reached: " + unreachable.message(), where);
    if (!fs::is_regular_file(status) && !fs::is_directory(status))
        throw FileError(path.string() + " is no regular file", where, "a file, or a folder with the model's files");
}

constexpr const char* kArchiveEnding = ".pt2";

bool isArchive(const fs::path& path)
{
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char letter) { return std::tolower(letter); });
    return ending == kArchiveEnding;
}

// The name by which the catalogue knows the model from now on.
std::string archivedModel(const fs::path& path)
{
    store::requireNotOpenHere(path);
    return config::importModel(fs::absolute(path).lexically_normal());
}

// One value or those of an axis, with their places.
std::vector<std::pair<Value, std::string>> valuesOf(const SpecSetting& setting)
{
    if (!setting.value.isList())
        return {{setting.value, setting.where}};
    if (setting.value.list().empty())
        throw UsageError("found []", setting.where, "at least one value");
    std::vector<std::pair<Value, std::string>> values;
    for (std::size_t i = 0; i < setting.value.list().size(); ++i)
        values.emplace_back(setting.value.list()[i], setting.whereOf(i));
    return values;
}

SpecSetting settingOf(const std::string& path, const std::vector<std::pair<Value, std::string>>& values)
{
    if (values.size() == 1)
        return {path, values.front().first, values.front().second};
    Value::List list;
    SpecSetting setting{path, {}, values.front().second};
    for (const auto& [value, where] : values) {
        list.push_back(value);
        setting.elementWhere.push_back(where);
    }
    setting.value = std::move(list);
    return setting;
}

/// Resolves the parts of one spec.
class Resolver {
public:
    Resolver(const std::string& source, std::vector<fs::path>& files)
        : m_source(source)
        , m_files(files)
    {
    }

    // Parts in which several models stand become several where one of these is a file.
    void resolve(SpecSettings part, std::vector<SpecSettings>& parts) const
    {
        takeConfig(part);
        resolveWeights(part);
        const auto name = part.find(kName);
        if (name == part.end()) {
            parts.push_back(std::move(part));
            return;
        }
        std::vector<std::pair<Value, std::string>> named;
        const auto values = valuesOf(name->second);
        for (const auto& value : values)
            if (!isFile(value.first))
                named.push_back(value);
        if (named.size() == values.size()) {
            parts.push_back(std::move(part));
            return;
        }
        if (!named.empty())
            parts.push_back(with(part, settingOf(kName, named)));
        for (const auto& [value, where] : values)
            if (isFile(value))
                parts.push_back(described(part, value.text(), where));
    }

private:
    static bool isFile(const Value& value) { return value.isText() && isModelFile(value.text()); }

    static SpecSettings with(SpecSettings part, const SpecSetting& setting)
    {
        part.insert_or_assign(setting.path, setting);
        return part;
    }

    // `config` says the same as a path in `name` does, also where it has no "/".
    void takeConfig(SpecSettings& part) const
    {
        const auto found = part.find(kConfig);
        if (found == part.end())
            return;
        if (part.contains(kName))
            throw UsageError(
                "stands beside model.name, and both say which model it is", found->second.where, "one of the two");
        auto values = valuesOf(found->second);
        for (auto& [value, where] : values) {
            if (!value.isText())
                throw UsageError("found " + config::toToml(value), where, "the path of a configuration file");
            value = (fs::path(".") / value.text()).string();
        }
        part.erase(found);
        part.insert_or_assign(kName, settingOf(kName, values));
    }

    SpecSettings described(SpecSettings part, const std::string& path, const std::string& where) const
    {
        if (isArchive(path))
            return imported(std::move(part), located(path, where), where);
        const fs::path file = configFileOf(located(path, where));
        const config::DescribedModel model = modelIn(file);
        m_files.push_back(file);
        part.insert_or_assign(kName, SpecSetting{kName, model.model, where});
        for (const auto& [field, value] : model.fields)
            part.emplace("model." + field, SpecSetting{"model." + field, value, file.string() + ": " + field});
        return part;
    }

    // The archive stands in the part, so that a stored spec still says where it lay.
    SpecSettings imported(SpecSettings part, const fs::path& path, const std::string& where) const
    {
        if (const auto found = part.find(kArchive); found != part.end())
            throw UsageError("is told by model.name", found->second.where, "model.name = \"FILE.pt2\" alone");
        const std::string name = archivedModel(path);
        m_files.push_back(path);
        part.insert_or_assign(kName, SpecSetting{kName, name, where});
        part.emplace(kArchive, SpecSetting{kArchive, fs::absolute(path).lexically_normal().string(), where});
        nameSizes(part, *config::importedArchiveOf(name));
        return part;
    }

    void resolveWeights(SpecSettings& part) const
    {
        const auto found = part.find(kWeights);
        if (found == part.end())
            return;
        auto values = valuesOf(found->second);
        for (auto& [value, where] : values)
            if (value.isText() && value.text() != config::kFilledWeights)
                value = fs::absolute(located(value.text(), where)).lexically_normal().string();
        found->second = settingOf(kWeights, values);
    }

    fs::path located(const fs::path& path, const std::string& where) const
    {
        const bool isOfSpec = !m_source.empty() && where.starts_with(m_source + ":");
        const fs::path beside = fs::path(m_source).parent_path() / path;
        std::error_code absent;
        const fs::path& found = isOfSpec && path.is_relative() && fs::exists(beside, absent) ? beside : path;
        requireFileOrFolder(found, where);
        return found;
    }

    const std::string& m_source;
    std::vector<fs::path>& m_files;
};

} // namespace

bool isModelFile(const std::string& name)
{
    return name.find('/') != std::string::npos || name.ends_with(".json") || isArchive(name);
}

bool isExportedModel(const std::string& name)
{
    return isArchive(name);
}

config::ModelDescriptor describedModel(const std::string& file)
{
    if (isArchive(file)) {
        requireFileOrFolder(file, "model");
        return config::findModel(archivedModel(file), file);
    }
    const config::DescribedModel described = modelIn(file);
    config::ModelDescriptor model = config::findModel(described.model, file);
    std::vector<config::Field> fields = model.fields.all();
    for (config::Field& field : fields)
        if (const auto found = described.fields.find(field.name); found != described.fields.end())
            field.defaultValue = found->second;
    model.fields = config::FieldSet(std::move(fields));
    return model;
}

config::ModelDescriptor namedModel(const std::string& name, const std::string& where)
{
    return isModelFile(name) ? describedModel(name) : config::findModel(name, where);
}

void resolveModelFiles(ExperimentSpec& spec)
{
    const Resolver resolver(spec.source, spec.modelFiles);
    std::vector<SpecSettings> parts;
    for (SpecSettings& part : spec.parts)
        resolver.resolve(std::move(part), parts);
    spec.parts = std::move(parts);
}

} // namespace headroom::experiments
