// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/TrialCodec.h"

#include "core/config/LossChunks.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/config/models/LlamaFamily.h"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <algorithm>

namespace headroom::protocol {

using namespace config;

namespace {

// 64 bits of an RFC 4122 name-based UUID: stable everywhere, long enough for any workspace.
std::string hash(const std::string& text)
{
    const boost::uuids::name_generator_sha1 generator(boost::uuids::ns::oid());
    std::string digits = boost::uuids::to_string(generator(text));
    std::erase(digits, '-');
    return digits.substr(digits.size() - 16);
}

Json techniquesToJson(const Configuration& configuration)
{
    Json techniques = Json::object();
    for (const auto& [key, setting] : configuration.techniques)
        techniques[key] = {{"notation", setting.notation}, {"options", toJson(setting.options)}};
    return techniques;
}

// A null option does not apply (its technique is off): there is no value to check.
ValueMap givenOptions(const Json& json)
{
    ValueMap options = valuesFromJson(json);
    std::erase_if(options, [](const auto& option) { return option.second.isNull(); });
    return options;
}

std::map<std::string, TechniqueSetting> techniquesFromJson(const Json& json)
{
    std::map<std::string, TechniqueSetting> settings;
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        settings[technique.key] = makeSetting(technique, technique.off, {}, technique.key);
    for (const auto& [key, setting] : json.items()) {
        const TechniqueDescriptor& technique = findTechnique(key, "techniques");
        settings[key] = makeSetting(technique, setting.at("notation").get<std::string>(),
            givenOptions(setting.value("options", Json::object())), "techniques." + key);
    }
    return settings;
}

// What a workload says besides the keys that every model has.
ValueMap shapesIn(const Json& workload)
{
    ValueMap shapes = valuesFromJson(workload);
    for (const Field& field : workloadFields().all())
        shapes.erase(field.name);
    return shapes;
}

// An archive is told by its content, wherever it lies and whatever it is called.
void leaveOutPlace(const Configuration& configuration, Json& json)
{
    if (!isImportedName(configuration.model))
        return;
    json["model"]["name"] = contentOf(configuration.model);
    json["model"]["fields"].erase(kArchiveField);
}

void leaveOutUnused(const TechniqueDescriptor& technique, const TechniqueSetting& setting, Json& techniques)
{
    if (!isChosen(technique, setting))
        techniques.erase(technique.key);
    else if (technique.idleOptions)
        for (const std::string& option : technique.idleOptions(setting))
            techniques[technique.key]["options"].erase(option);
}

// Ids leave out techniques that are off, so that stored trials are still found when techniques are added. They also
// leave out options that behave as if not given, weights that are not given, key and value heads that are not repeated,
// a model output that is not held and a loss that is computed as a whole: specs from before these choices keep the ids
// of their trials.
void leaveOutUnused(const Configuration& configuration, Json& json)
{
    for (const auto& [key, setting] : configuration.techniques)
        leaveOutUnused(findTechnique(key, "techniques"), setting, json["techniques"]);
    if (weightsOf(configuration.modelFields).empty())
        json["model"]["fields"].erase(kWeightsField);
    if (configuration.workload.output == ModelOutput::Released)
        json["workload"].erase("output");
    if (const auto repeats = configuration.modelFields.find(kRepeatKeyValues);
        repeats != configuration.modelFields.end() && repeats->second == Value(false))
        json["model"]["fields"].erase(kRepeatKeyValues);
    const ValueMap& shapes = configuration.workload.shapes;
    if (const auto chunks = shapes.find(kLossChunks); chunks != shapes.end() && chunks->second == Value(1))
        json["workload"].erase(kLossChunks);
    leaveOutPlace(configuration, json);
}

} // namespace

Json toJson(const Configuration& configuration)
{
    return {{"model", {{"name", configuration.model}, {"fields", toJson(configuration.modelFields)}}},
        {"workload", toJson(toValues(configuration.workload))}, {"techniques", techniquesToJson(configuration)}};
}

Json toJson(const Trial& trial)
{
    Json json = toJson(trial.configuration);
    json["device"] = {{"name", trial.device.notation()}, {"memory_limit_bytes", orNull(trial.memoryLimitBytes)}};
    if (trial.segmentAddresses) // trials from before this setting existed keep their ids
        json["device"]["segment_addresses"] = config::toText(*trial.segmentAddresses);
    if (!trial.allocator.empty()) // the same
        json["device"]["allocator"] = trial.allocator;
    json["protocol"] = toJson(toValues(trial.protocol));
    return json;
}

Configuration configurationFromJson(const Json& json)
{
    const Json& model = json.at("model");
    Configuration configuration;
    configuration.model = model.at("name").get<std::string>();
    const ValueMap fields = valuesFromJson(model.value("fields", Json::object()));
    if (isImportedName(configuration.model))
        recallModel(configuration.model, fields, shapesIn(json.value("workload", Json::object())));
    const ModelDescriptor descriptor = findModel(configuration.model, "model.name");
    configuration.modelFields = descriptor.fields.complete(fields, "model");
    configuration.workload =
        makeWorkload(valuesFromJson(json.value("workload", Json::object())), descriptor.shapes, "workload");
    configuration.techniques = techniquesFromJson(json.value("techniques", Json::object()));
    return configuration;
}

Trial trialFromJson(const Json& json)
{
    Trial trial;
    trial.configuration = configurationFromJson(json);
    const Json& device = json.at("device");
    trial.device = parseDevice(device.at("name").get<std::string>(), "device.name");
    trial.memoryLimitBytes = optionalFromJson<Bytes>(device.value("memory_limit_bytes", Json()));
    if (const auto addresses = optionalFromJson<std::string>(device.value("segment_addresses", Json())))
        trial.segmentAddresses = segmentAddressesFromText(*addresses, "device.segment_addresses");
    trial.allocator = optionalFromJson<std::string>(device.value("allocator", Json())).value_or("");
    trial.protocol = makeProtocol(valuesFromJson(json.value("protocol", Json::object())), "protocol");
    return trial;
}

std::string configId(const Configuration& configuration)
{
    Json json = toJson(configuration);
    leaveOutUnused(configuration, json);
    return hash(json.dump());
}

std::string trialId(const Trial& trial)
{
    Json json = toJson(trial);
    leaveOutUnused(trial.configuration, json);
    json["protocol"].erase("repeats");
    if (trial.protocol.residentModel.empty()) // trials from before this setting existed keep their ids
        json["protocol"].erase("resident_model");
    return hash(json.dump());
}

} // namespace headroom::protocol
