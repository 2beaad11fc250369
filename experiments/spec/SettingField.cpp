// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/SettingField.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"

namespace headroom::experiments {
namespace {

using config::Field;
using config::FieldSet;
using config::FieldType;

Field textField(const std::string& name)
{
    return {.name = name, .type = FieldType::Text, .defaultValue = {}, .help = {}};
}

std::vector<Field> deviceFields()
{
    return {textField("name"),
        {.name = "memory_limit_bytes",
            .type = FieldType::Integer,
            .defaultValue = {},
            .help = "most bytes the allocator may hand out",
            .minimum = 1},
        {.name = "segment_addresses",
            .type = FieldType::Choice,
            .defaultValue = {},
            .help = "where segments lie on a simulated device's platform; its profile's where left out",
            .choices = config::segmentAddressesWords()},
        {.name = "allocator",
            .type = FieldType::Text,
            .defaultValue = {},
            .help = "settings of LibTorch's caching allocator, as PYTORCH_ALLOC_CONF; its defaults where left out"}};
}

std::vector<Field> protocolKeys()
{
    std::vector<Field> fields = config::protocolFields().all();
    fields.push_back({.name = "timeout_seconds",
        .type = FieldType::Real,
        .defaultValue = {},
        .help = "most seconds that one repeat may take",
        .minimum = 0.001});
    return fields;
}

std::vector<Field> techniqueFields()
{
    std::vector<Field> fields;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        fields.push_back(textField(technique.key));
        for (Field option : technique.options.all()) {
            option.name = technique.key + "." + option.name;
            fields.push_back(option);
        }
    }
    return fields;
}

// A model that runs in one number format only, or returns its loss, has these where none are given.
std::vector<Field> workloadKeys(const config::ModelFamily& family)
{
    std::vector<Field> fields = config::workloadFields().all();
    for (Field& field : fields)
        if (field.name == "dtype" && family.hasFixedDtype)
            field.defaultValue = toText(family.publishedDtype);
        else if (field.name == "loss")
            field.defaultValue = toText(family.defaultLoss);
    return fields;
}

std::vector<Field> withFields(std::vector<Field> fields, const FieldSet& more)
{
    fields.insert(fields.end(), more.all().begin(), more.all().end());
    return fields;
}

/// What may have been meant: of a technique's option the technique's options, of anything else all names.
std::vector<std::string> candidates(const FieldSet& fields, const std::string& name)
{
    const std::string technique = name.substr(0, name.find('.') + 1);
    std::vector<std::string> all, ofTechnique;
    for (const Field& field : fields.all()) {
        all.push_back(field.name);
        if (!technique.empty() && field.name.starts_with(technique))
            ofTechnique.push_back(field.name);
    }
    return ofTechnique.empty() ? all : ofTechnique;
}

} // namespace

std::pair<std::string, std::string> splitPath(const std::string& path)
{
    const auto dot = path.find('.');
    return {path.substr(0, dot), path.substr(dot + 1)};
}

FieldSet tableFields(const std::string& table, const std::string& modelName, const std::string& where)
{
    if (table == "device")
        return deviceFields();
    if (table == "protocol")
        return protocolKeys();
    if (table == "techniques")
        return techniqueFields();
    const config::ModelDescriptor model = config::findModel(modelName, where);
    return table == "model" ? withFields({textField("name")}, model.fields)
                            : withFields(workloadKeys(*model.family), model.shapes);
}

Field settingField(const std::string& path, const std::string& modelName, const std::string& where)
{
    const auto [table, name] = splitPath(path);
    const FieldSet fields = tableFields(table, modelName, where);
    if (const Field* field = fields.find(name))
        return *field;
    const std::vector<std::string> known = candidates(fields, name);
    const std::string hint = didYouMean(config::closestName(name, known));
    const std::string owner = table == "model" || table == "workload" ? " of " + modelName : "";
    throw UsageError("unknown key \"" + name + "\"" + owner + hint, where, joined(known));
}

} // namespace headroom::experiments
