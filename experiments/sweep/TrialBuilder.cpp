// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/TrialBuilder.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ModelWorkload.h"
#include "core/config/catalogue/SettingSuggestion.h"
#include "experiments/spec/SettingField.h"
#include "experiments/sweep/AllocatorSetting.h"

#include <utility>

namespace headroom::experiments {
namespace {

using config::Configuration;
using config::FieldSet;
using config::TechniqueDescriptor;
using config::Value;
using config::ValueMap;

const PlacedValue* find(const SweepPoint& point, const std::string& path)
{
    const auto it = point.find(path);
    return it == point.end() ? nullptr : &it->second;
}

// The given values of a table's fields, each checked at its own place.
ValueMap given(const SweepPoint& point, const std::string& prefix, const FieldSet& fields)
{
    ValueMap values;
    for (const config::Field& field : fields.all())
        if (const PlacedValue* found = find(point, prefix + "." + field.name))
            values.emplace(field.name, field.check(found->value, found->where));
    return values;
}

// Who did not say what the step is wants the model as it is trained; with autocast alone, over master weights in
// float32.
bool isDtypeImplied(const SweepPoint& point, const ValueMap& values)
{
    const PlacedValue* step = find(point, "workload.step");
    const auto autocast = values.find("autocast");
    return step != nullptr && step->origin == ValueOrigin::Implied && !values.contains("dtype")
        && (autocast == values.end() || autocast->second == Value("off"));
}

config::Workload workloadAt(const SweepPoint& point, const config::ModelDescriptor& model)
{
    ValueMap values = given(point, "workload", config::workloadFields());
    values.merge(given(point, "workload", model.shapes));
    if (isDtypeImplied(point, values) || (model.family->hasFixedDtype && !values.contains("dtype")))
        values.emplace("dtype", toText(model.publishedDtype));
    return config::workloadOf(model, std::move(values), "workload");
}

config::TechniqueSetting settingAt(
    const SweepPoint& point, const TechniqueDescriptor& technique, config::DeviceKind device)
{
    const std::string path = "techniques." + technique.key;
    const ValueMap options = given(point, path, technique.options);
    if (const PlacedValue* notation = find(point, path)) {
        const std::string text = notationText(notation->value, notation->where);
        return config::makeSetting(technique, config::notationMeant(technique, text, options, device, notation->where),
            options, notation->where);
    }
    return config::makeSetting(technique, technique.off, options, path);
}

config::DeviceSpec deviceAt(const SweepPoint& point)
{
    const PlacedValue* name = find(point, "device.name");
    if (name == nullptr)
        return {};
    const config::Field field = settingField("device.name", {}, name->where);
    return config::parseDevice(field.check(name->value, name->where).text(), name->where);
}

std::optional<Bytes> memoryLimitAt(const SweepPoint& point)
{
    const PlacedValue* limit = find(point, "device.memory_limit_bytes");
    if (limit == nullptr)
        return std::nullopt;
    return settingField("device.memory_limit_bytes", {}, limit->where).check(limit->value, limit->where).integer();
}

// On a real device the driver decides.
std::optional<config::SegmentAddresses> segmentAddressesAt(const SweepPoint& point, const config::DeviceSpec& device)
{
    const std::string path = "device.segment_addresses";
    const PlacedValue* addresses = find(point, path);
    if (addresses == nullptr)
        return std::nullopt;
    const std::string& where = addresses->where;
    const std::string text = settingField(path, {}, where).check(addresses->value, where).text();
    if (!device.hasProfile())
        throw UsageError(
            "found \"" + text + "\" for the device " + device.notation(), where, "simulated and rehearsed devices");
    return config::segmentAddressesFromText(text, where);
}

std::string allocatorAt(const SweepPoint& point, const config::Trial& trial)
{
    const std::string path = "device.allocator";
    const PlacedValue* given = find(point, path);
    if (given == nullptr)
        return {};
    const std::string text =
        allocatorText(settingField(path, {}, given->where).check(given->value, given->where).text());
    requireAllocator(text, trial.device, trial.memoryLimitBytes, given->where);
    return text;
}

Configuration configurationAt(const SweepPoint& point, config::DeviceKind device)
{
    const PlacedValue& name = point.at("model.name");
    const config::ModelDescriptor model = config::findModel(name.value.text(), name.where);
    Configuration configuration;
    configuration.model = model.name;
    configuration.modelFields = model.fields.complete(given(point, "model", model.fields), "model");
    configuration.workload = workloadAt(point, model);
    for (const TechniqueDescriptor& technique : config::techniqueCatalogue())
        configuration.techniques.emplace(technique.key, settingAt(point, technique, device));
    return configuration;
}

std::optional<Value> entry(const ValueMap& values, const std::string& name)
{
    const auto it = values.find(name);
    return it == values.end() ? std::nullopt : std::optional<Value>(it->second);
}

std::optional<Value> techniqueValue(const Configuration& configuration, const std::string& path)
{
    const auto dot = path.find('.');
    const auto technique = configuration.techniques.find(path.substr(0, dot));
    if (technique == configuration.techniques.end())
        return std::nullopt;
    return dot == std::string::npos ? Value(technique->second.notation)
                                    : entry(technique->second.options, path.substr(dot + 1));
}

std::optional<Value> deviceValue(const config::Trial& trial, const std::string& name)
{
    if (name == "name")
        return Value(trial.device.notation());
    if (name == "memory_limit_bytes")
        return trial.memoryLimitBytes ? Value(*trial.memoryLimitBytes) : Value();
    if (name == "segment_addresses")
        return trial.segmentAddresses ? Value(config::toText(*trial.segmentAddresses)) : Value();
    if (name == "allocator")
        return Value(trial.allocator.empty() ? std::string(kDefaultAllocator) : trial.allocator);
    return std::nullopt;
}

} // namespace

config::Trial buildTrial(const SweepPoint& point)
{
    config::Trial trial;
    trial.device = deviceAt(point);
    trial.configuration = configurationAt(point, trial.device.kind);
    trial.memoryLimitBytes = memoryLimitAt(point);
    trial.segmentAddresses = segmentAddressesAt(point, trial.device);
    trial.allocator = allocatorAt(point, trial);
    trial.protocol = config::makeProtocol(given(point, "protocol", config::protocolFields()), "protocol");
    return trial;
}

std::optional<std::chrono::duration<double>> timeoutAt(const SweepPoint& point)
{
    const PlacedValue* timeout = find(point, "protocol.timeout_seconds");
    if (timeout == nullptr)
        return std::nullopt;
    const config::Field field = settingField("protocol.timeout_seconds", {}, timeout->where);
    return std::chrono::duration<double>(field.check(timeout->value, timeout->where).real());
}

std::optional<Value> valueIn(const config::Trial& trial, const std::string& path)
{
    const auto [table, name] = splitPath(path);
    if (table == "techniques")
        return techniqueValue(trial.configuration, name);
    if (table == "device")
        return deviceValue(trial, name);
    if (table == "protocol")
        return entry(config::toValues(trial.protocol), name);
    if (table == "workload")
        return entry(config::toValues(trial.configuration.workload), name);
    return name == "name" ? Value(trial.configuration.model) : entry(trial.configuration.modelFields, name);
}

std::string notationText(const Value& value, const std::string& where)
{
    if (value.isInteger())
        return std::to_string(value.integer());
    if (!value.isText())
        throw UsageError("found " + config::toToml(value), where, "a notation in quotes, or a list of them");
    return value.text();
}

} // namespace headroom::experiments
