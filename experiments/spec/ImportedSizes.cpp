// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/ImportedSizes.h"

#include "core/base/Error.h"
#include "core/config/Workload.h"
#include "core/config/imported/ImportedShapes.h"

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

} // namespace

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

} // namespace headroom::experiments
