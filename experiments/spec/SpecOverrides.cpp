// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/SpecOverrides.h"

#include "core/base/Error.h"
#include "experiments/spec/TomlValue.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

config::Value overrideValue(const std::string& values, const std::string& where)
{
    config::Value::List list;
    for (const std::string& piece : splitAtCommas(values))
        list.push_back(valueFromText(piece, where));
    return list.size() == 1 ? list.front() : config::Value(list);
}

// Names and notations are text, whatever they look like: "--split-ffn 4" is the notation "4".
config::Value overrideText(const std::string& values, const std::string& where)
{
    config::Value::List list;
    for (const std::string& piece : splitAtCommas(values)) {
        const config::Value value = valueFromText(piece, where);
        list.push_back(value.isText() ? value : config::Value(piece));
    }
    return list.size() == 1 ? list.front() : config::Value(list);
}

} // namespace

void SpecOverrides::setModels(const std::string& models)
{
    m_settings.push_back({"model.name", overrideText(models, "--model"), "--model"});
}

void SpecOverrides::setDevices(const std::string& devices)
{
    m_settings.push_back({"device.name", overrideText(devices, "--device"), "--device"});
}

void SpecOverrides::setAllocators(const std::vector<std::string>& settings)
{
    config::Value::List list;
    for (const std::string& one : settings)
        list.emplace_back(one);
    m_settings.push_back({"device.allocator", list.size() == 1 ? list.front() : config::Value(list), "--allocator"});
}

void SpecOverrides::setTechnique(const std::string& key, const std::string& notations)
{
    std::string flag = "--" + key;
    std::replace(flag.begin(), flag.end(), '_', '-');
    m_settings.push_back({fullPath("techniques." + key, flag), overrideText(notations, flag), flag});
}

void SpecOverrides::assign(const std::string& assignment)
{
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw UsageError("found \"" + assignment + "\"", "--set", "PATH=VALUE, such as workload.batch=2");
    const std::string path = assignment.substr(0, equals);
    set(path, assignment.substr(equals + 1), "--set " + path);
}

void SpecOverrides::set(const std::string& path, const std::string& values, const std::string& where)
{
    m_settings.push_back({fullPath(path, where), overrideValue(values, where), where});
}

void SpecOverrides::useQuickProtocol()
{
    std::vector<SpecSetting> quick;
    for (const auto& [key, value] :
        config::ValueMap{{"warmup_steps", 1}, {"max_warmup_steps", 1}, {"steps", 2}, {"repeats", 1}})
        quick.push_back({"protocol." + key, value, "--quick"});
    m_settings.insert(m_settings.begin(), quick.begin(), quick.end());
}

} // namespace headroom::experiments
