// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/RunWords.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ModelWorkload.h"
#include "core/config/imported/ImportedFamily.h"
#include "experiments/spec/TomlValue.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

using config::Value;
using config::ValueMap;

bool isBareWord(const std::string& text)
{
    try {
        const std::vector<std::string> pieces = splitAtCommas(text);
        return pieces.size() == 1 && pieces.front() == text && valueFromText(text, "word") == Value(text);
    } catch (const UsageError&) {
        return false;
    }
}

std::string flagText(const Value& value)
{
    return value.isText() && isBareWord(value.text()) ? value.text() : config::toToml(value);
}

/// Collects the words.
class RunFlags {
public:
    explicit RunFlags(const std::string& command)
        : m_words{"headroom", command}
    {
    }

    void flag(std::string key, const std::string& text)
    {
        std::replace(key.begin(), key.end(), '_', '-');
        m_words.push_back("--" + key);
        m_words.push_back(text);
    }

    // What is null was not given, and TOML has no word for it.
    void set(const std::string& path, const Value& value)
    {
        if (value.isNull())
            return;
        m_words.emplace_back("--set");
        m_words.push_back(path + "=" + flagText(value));
    }

    void setAll(const std::string& table, const ValueMap& values)
    {
        for (const auto& [name, value] : values)
            set(table + "." + name, value);
    }

    std::vector<std::string> take() { return std::move(m_words); }

private:
    std::vector<std::string> m_words;
};

// A model that was read from an archive is named by its file.
void addModel(RunFlags& flags, const config::Configuration& configuration, const config::FieldSet& fields)
{
    ValueMap changed = fields.differing(configuration.modelFields);
    const auto archive = configuration.modelFields.find(config::kArchiveField);
    const bool isImported = config::isImportedName(configuration.model) && archive != configuration.modelFields.end();
    flags.flag("model", isImported ? config::toLabel(archive->second) : configuration.model);
    changed.erase(config::kArchiveField);
    flags.setAll("model", changed);
}

// Sizes that a family of models has; those of an archive may have any name.
bool hasFlag(const std::string& size)
{
    return std::ranges::any_of(config::modelFamilies(),
        [&](const config::ModelFamily& family) { return family.shapes.find(size) != nullptr; });
}

void addWorkload(RunFlags& flags, const config::Workload& workload, const config::ModelDescriptor& model)
{
    const ValueMap values = config::toValues(workload);
    const ValueMap defaults = config::toValues(config::workloadOf(model, {}, "workload"));
    for (const char* name : {"step", "dtype"}) // the defaults of these follow from what else is asked for
        flags.flag(name, flagText(values.at(name)));
    for (const auto& [name, value] : values) {
        if (name == "step" || name == "dtype" || value.isNull() || defaults.at(name) == value)
            continue;
        if (hasFlag(name))
            flags.flag(name, flagText(value));
        else
            flags.set("workload." + name, value);
    }
}

void addTechniqueFlags(RunFlags& flags, const config::Configuration& configuration)
{
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const config::TechniqueSetting& setting = configuration.techniques.at(technique.key);
        if (!config::isChosen(technique, setting))
            continue;
        flags.flag(technique.key, setting.notation);
        flags.setAll(technique.key, technique.options.differing(setting.options));
    }
}

void addDevice(RunFlags& flags, const config::Trial& trial)
{
    flags.flag("device", trial.device.notation());
    if (trial.memoryLimitBytes)
        flags.set("device.memory_limit_bytes", *trial.memoryLimitBytes);
    if (trial.segmentAddresses)
        flags.set("device.segment_addresses", config::toText(*trial.segmentAddresses));
    if (!trial.allocator.empty())
        flags.set("device.allocator", trial.allocator);
}

} // namespace

std::vector<std::string> runWords(const config::Trial& trial)
{
    const config::Configuration& configuration = trial.configuration;
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    RunFlags flags("run");
    addModel(flags, configuration, model.fields);
    addWorkload(flags, configuration.workload, model);
    addTechniqueFlags(flags, configuration);
    addDevice(flags, trial);
    flags.setAll("protocol", config::protocolFields().differing(config::toValues(trial.protocol)));
    return flags.take();
}

} // namespace headroom::experiments
