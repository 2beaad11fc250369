// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/TrialCodec.h"

#include "core/config/LossChunks.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/catalogue/ModelWorkload.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/config/models/LlamaFamily.h"
#include "core/config/techniques/OptimizerDescriptor.h"
#include "core/protocol/ImportedFactsCodec.h"
#include "core/protocol/JsonMember.h"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <algorithm>
#include <utility>

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

Json settingToJson(const TechniqueSetting& setting)
{
    return {{"notation", setting.notation}, {"options", toJson(setting.options)}};
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
    for (const auto& [key, setting] : json.items()) {
        const TechniqueDescriptor& technique = findTechnique(key, "techniques");
        settings[key] = makeSetting(technique, setting.at("notation").get<std::string>(),
            givenOptions(memberOf(setting, "options")), "techniques." + key);
    }
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        if (!settings.contains(technique.key))
            settings[technique.key] = makeSetting(technique, technique.off, {}, technique.key);
    return settings;
}

constexpr const char* kImported = "imported";

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
    json["model"].erase(kImported);
}

// Those that are on, without options that behave as if not given.
Json usedTechniques(const Configuration& configuration)
{
    Json techniques = Json::object();
    for (const auto& [key, setting] : configuration.techniques) {
        const TechniqueDescriptor& technique = findTechnique(key, "techniques");
        if (!isChosen(technique, setting))
            continue;
        Json& used = techniques[key] = settingToJson(setting);
        if (technique.idleOptions)
            for (const std::string& option : technique.idleOptions(setting))
                used["options"].erase(option);
    }
    return techniques;
}

Json allTechniques(const Configuration& configuration)
{
    Json techniques = Json::object();
    for (const auto& [key, setting] : configuration.techniques)
        techniques[key] = settingToJson(setting);
    return techniques;
}

Json configurationToJson(const Configuration& configuration, Json techniques)
{
    Json json{{"model", {{"name", configuration.model}, {"fields", toJson(configuration.modelFields)}}},
        {"workload", toJson(toValues(configuration.workload))}, {"techniques", std::move(techniques)}};
    if (const auto facts = importedFactsOf(configuration)) // with which it is read when the archive is gone
        json["model"][kImported] = toJson(*facts);
    return json;
}

// Fields that came later, by what they are in trials from before them.
void leaveOutDefaults(const ValueMap& values, const ValueMap& defaults, Json& json)
{
    for (const auto& [key, value] : defaults)
        if (const auto found = values.find(key); found != values.end() && found->second == value)
            json.erase(key);
}

// Ids leave out techniques that are off, so that stored trials are still found when techniques are added. They also
// leave out options that behave as if not given, weights that are not given, projections that are not fused, key and
// value heads that are not repeated, a model output that is neither held nor raised, a loss that is computed as a
// whole, and the form of an optimizer that had none: specs from before these choices keep the ids of their trials.
Json usedOf(const Configuration& configuration)
{
    Json json = configurationToJson(configuration, usedTechniques(configuration));
    if (weightsOf(configuration.modelFields).empty())
        json["model"]["fields"].erase(kWeightsField);
    if (configuration.workload.step == StepKind::Inference && configuration.workload.loss == Loss::CrossEntropy)
        json["workload"]["loss"] = toText(Loss::Mean); // none is computed: language models have it by default
    if (const auto optimizer = json["techniques"].find("optimizer"); optimizer != json["techniques"].end())
        (*optimizer)["notation"] = optimizerInIds(optimizer->at("notation").get<std::string>());
    if (configuration.workload.output == ModelOutput::Released)
        json["workload"].erase("output");
    if (configuration.workload.outputDtype == OutputDtype::Same)
        json["workload"].erase("output_dtype");
    leaveOutDefaults(configuration.workload.shapes, {{kLossChunks, 1}, {kFusedLoss, false}}, json["workload"]);
    leaveOutDefaults(
        configuration.modelFields, {{kFusedProjections, false}, {kRepeatKeyValues, false}}, json["model"]["fields"]);
    leaveOutPlace(configuration, json);
    return json;
}

// What a trial says besides its configuration.
void addRest(const Trial& trial, Json& json)
{
    json["device"] = {{"name", trial.device.notation()}, {"memory_limit_bytes", orNull(trial.memoryLimitBytes)}};
    if (trial.segmentAddresses) // trials from before this setting existed keep their ids
        json["device"]["segment_addresses"] = config::toText(*trial.segmentAddresses);
    if (!trial.allocator.empty()) // the same
        json["device"]["allocator"] = trial.allocator;
    json["protocol"] = protocol::toJson(toValues(trial.protocol));
}

// `json`: usedOf() its configuration.
std::string trialIdOf(const Trial& trial, Json json)
{
    addRest(trial, json);
    json["protocol"].erase("repeats");
    if (trial.protocol.residentModel.empty()) // trials from before this setting existed keep their ids
        json["protocol"].erase("resident_model");
    return hash(json.dump());
}

} // namespace

Json toJson(const Configuration& configuration)
{
    return configurationToJson(configuration, allTechniques(configuration));
}

Json toJson(const Trial& trial)
{
    Json json = toJson(trial.configuration);
    addRest(trial, json);
    return json;
}

Configuration configurationFromJson(const Json& json)
{
    const Json& model = json.at("model");
    Configuration configuration;
    configuration.model = model.at("name").get<std::string>();
    const ValueMap fields = valuesFromJson(memberOf(model, "fields"));
    if (isImportedName(configuration.model))
        recallModel(configuration.model, fields, shapesIn(memberOf(json, "workload")),
            importedFactsFromJson(memberOf(model, kImported)));
    const ModelDescriptor descriptor = findModel(configuration.model, "model.name");
    configuration.modelFields = descriptor.fields.complete(fields, "model");
    configuration.workload = workloadOf(descriptor, valuesFromJson(memberOf(json, "workload")), "workload");
    configuration.techniques = techniquesFromJson(memberOf(json, "techniques"));
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
    trial.protocol = makeProtocol(valuesFromJson(memberOf(json, "protocol")), "protocol");
    return trial;
}

std::string configId(const Configuration& configuration)
{
    return hash(usedOf(configuration).dump());
}

std::string trialId(const Trial& trial)
{
    return trialIdOf(trial, usedOf(trial.configuration));
}

TrialIds idsOf(const Trial& trial)
{
    Json used = usedOf(trial.configuration);
    std::string configuration = hash(used.dump());
    return {trialIdOf(trial, std::move(used)), std::move(configuration)};
}

} // namespace headroom::protocol
