// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Catalogue.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/config/models/CogVideoXFamily.h"
#include "core/config/models/FfnStackFamily.h"
#include "core/config/models/FluxFamily.h"
#include "core/config/models/LlamaFamily.h"
#include "core/config/models/LtxVideoFamily.h"
#include "core/config/models/RecordingFamily.h"
#include "core/config/models/T5EncoderFamily.h"
#include "core/config/models/WanFamily.h"
#include "core/config/techniques/AttentionDescriptor.h"
#include "core/config/techniques/CastingDescriptor.h"
#include "core/config/techniques/CheckpointingDescriptor.h"
#include "core/config/techniques/EmaDescriptor.h"
#include "core/config/techniques/InputTransferDescriptor.h"
#include "core/config/techniques/LossReadbackDescriptor.h"
#include "core/config/techniques/OffloadDescriptor.h"
#include "core/config/techniques/OptimizerDescriptor.h"
#include "core/config/techniques/SplitFfnDescriptor.h"
#include "core/config/techniques/TrainableDescriptor.h"

#include <algorithm>
#include <map>

namespace headroom::config {
namespace {

// Adds the fields that every model has besides its family's.
FieldSet withWeights(const FieldSet& fields)
{
    std::vector<Field> result = fields.all();
    result.push_back({.name = kWeightsField,
        .type = FieldType::Text,
        .defaultValue = {},
        .help = "safetensors file, index or model folder with the weights; \"fill\": by the rule of the reference "
                "values; random ones if not given"});
    return FieldSet(std::move(result));
}

// The family's fields with a variant's values as defaults.
FieldSet withDefaults(const FieldSet& fields, const ValueMap& defaults)
{
    std::vector<Field> result = fields.all();
    for (Field& field : result)
        if (const auto it = defaults.find(field.name); it != defaults.end())
            field.defaultValue = it->second;
    return FieldSet(std::move(result));
}

ModelDescriptor describe(const ModelFamily& family, const ModelVariant& variant)
{
    return {&family, variant.name, variant.title, withWeights(withDefaults(family.fields, variant.fields)),
        withDefaults(family.shapes, variant.shapes), variant.publishedDtype.value_or(family.publishedDtype)};
}

// Of the families that are built in, by name and alias: described once, since a sweep of thousands of trials asks for
// each of them several times.
const std::map<std::string, ModelDescriptor>& knownModels()
{
    static const std::map<std::string, ModelDescriptor> models = [] {
        std::map<std::string, ModelDescriptor> found;
        for (const ModelFamily& family : modelFamilies())
            for (const ModelVariant& variant : family.variants) {
                const ModelDescriptor model = describe(family, variant);
                found.emplace(variant.name, model);
                for (const std::string& alias : variant.aliases)
                    found.emplace(alias, model);
            }
        return found;
    }();
    return models;
}

[[noreturn]] void refuseName(
    const char* what, const std::string& name, const std::vector<std::string>& names, const std::string& where)
{
    const std::string hint = didYouMean(closestName(name, names));
    throw UsageError(std::string("unknown ") + what + " \"" + name + "\"" + hint, where, joined(names));
}

} // namespace

std::string weightsOf(const ValueMap& modelFields)
{
    const auto found = modelFields.find(kWeightsField);
    return found == modelFields.end() || found->second.isNull() ? std::string() : found->second.text();
}

const std::vector<ModelFamily>& modelFamilies()
{
    static const std::vector<ModelFamily> families{ffnStackFamily(), ltxVideoFamily(), fluxFamily(), wanFamily(),
        cogVideoXFamily(), llamaFamily(), t5EncoderFamily()};
    return families;
}

std::vector<std::string> modelNames()
{
    std::vector<std::string> names;
    for (const ModelFamily& family : modelFamilies())
        for (const ModelVariant& variant : family.variants)
            names.push_back(variant.name);
    return names;
}

ModelDescriptor findModel(const std::string& name, const std::string& where)
{
    if (isImportedName(name)) {
        if (const ModelFamily* imported = importedFamilyOf(name))
            return describe(*imported, imported->variants.front());
        throw UsageError("unknown model \"" + name + "\": an archive has this name once it was read", where,
            "the path of the .pt2 file");
    }
    static const ModelFamily recording = recordingFamily();
    if (name == kRecordingModel)
        return describe(recording, recording.variants.front());
    if (const auto known = knownModels().find(name); known != knownModels().end())
        return known->second;
    const std::string closest = closestName(name, modelNames());
    const std::string own =
        ": one of your own is given as FILE.pt2 (headroom models --capture-script names what writes it)";
    throw UsageError(
        "unknown model \"" + name + "\"" + (closest.empty() ? own : didYouMean(closest)), where, joined(modelNames()));
}

const std::vector<TechniqueDescriptor>& techniqueCatalogue()
{
    static const std::vector<TechniqueDescriptor> techniques{trainableDescriptor(), optimizerDescriptor(),
        castingDescriptor(), offloadDescriptor(), splitFfnDescriptor(), checkpointingDescriptor(),
        attentionDescriptor(), emaDescriptor(), lossReadbackDescriptor(), inputTransferDescriptor()};
    return techniques;
}

std::vector<std::string> techniqueKeys()
{
    std::vector<std::string> keys;
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        keys.push_back(technique.key);
    return keys;
}

const TechniqueDescriptor& findTechnique(const std::string& key, const std::string& where)
{
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        if (technique.key == key)
            return technique;
    refuseName("technique", key, techniqueKeys(), where);
}

} // namespace headroom::config
