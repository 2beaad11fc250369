// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/WorkloadFlags.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"

#include <algorithm>

namespace headroom::cli {
namespace {

bool hasField(const std::vector<config::Field>& fields, const std::string& name)
{
    return std::ranges::any_of(fields, [&](const config::Field& field) { return field.name == name; });
}

// "height in pixels: a multiple of 32" is what one family wants of it.
std::string withoutRules(const std::string& help)
{
    return help.substr(0, help.find(": "));
}

std::string familiesWith(const std::string& shape)
{
    std::vector<std::string> names;
    for (const config::ModelFamily& family : config::modelFamilies())
        if (family.shapes.find(shape) != nullptr)
            names.push_back(family.name);
    return names.size() == config::modelFamilies().size() ? "every model" : joined(names);
}

void addShapes(std::vector<config::Field>& fields)
{
    for (const config::ModelFamily& family : config::modelFamilies())
        for (config::Field field : family.shapes.all()) {
            if (hasField(fields, field.name))
                continue;
            field.help = withoutRules(field.help) + " (" + familiesWith(field.name) + ")";
            fields.push_back(field);
        }
}

std::vector<config::Field> collectedFields()
{
    std::vector<config::Field> fields;
    for (const char* name : {"step", "dtype"}) {
        fields.push_back(config::workloadFields().get(name, name));
        fields.back().help = fields.back().validValues();
    }
    fields[0].help += "; train where a setting asks for it that only means something in training";
    fields[1].help += "; beside a step that follows so, that of the model's published weights";
    addShapes(fields);
    return fields;
}

// The setting of this path that was given last; null where none was.
const experiments::SpecSetting* lastOf(const experiments::SpecOverrides& overrides, const std::string& path)
{
    const auto& settings = overrides.settings();
    const auto found =
        std::find_if(settings.rbegin(), settings.rend(), [&](const auto& setting) { return setting.path == path; });
    return found == settings.rend() ? nullptr : &*found;
}

} // namespace

const std::vector<config::Field>& workloadFlagFields()
{
    static const std::vector<config::Field> fields = collectedFields();
    return fields;
}

std::string flagOf(std::string key)
{
    std::ranges::replace(key, '_', '-');
    return "--" + key;
}

void layOver(experiments::SpecOverrides& overrides, const WorkloadArguments& arguments)
{
    experiments::SpecOverrides flags;
    for (const auto& [name, values] : arguments)
        if (!values.empty())
            flags.set("workload." + name, joined(values), flagOf(name));
    for (const experiments::SpecSetting& flag : flags.settings()) {
        const experiments::SpecSetting* other = lastOf(overrides, flag.path);
        if (other != nullptr && other->value != flag.value)
            throw UsageError("found " + config::toToml(flag.value) + ", and " + config::toToml(other->value) + " after "
                    + other->where,
                flag.where, "one of the two");
        overrides.add(flag);
    }
}

} // namespace headroom::cli
