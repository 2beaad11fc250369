// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/ghost/UpstreamConfig.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/config/models/LlamaFamily.h"
#include "core/protocol/Json.h"

#include <nlohmann/json.hpp>

namespace headroom::experiments {
namespace {

// Ways in which this program computes a model; upstream's classes have no such key.
bool isOwnField(const std::string& name)
{
    return name == config::kFusedProjections || name == config::kRepeatKeyValues || name == config::kWeightsField
        || name == config::kArchiveField;
}

} // namespace

std::string upstreamConfigOf(const std::string& model, const GhostCatalogue& known)
{
    const config::ModelDescriptor found = config::findModel(model, "the model");
    if (found.family->upstream.classes.empty())
        throw UsageError("\"" + model + "\" has no class of transformers or diffusers", "the model",
            "a model of another family, or a config.json");
    const std::string name = found.family->upstream.classes.front().name;
    const GhostDescription& description = known.describing(name, "the model \"" + model + "\"");
    nlohmann::ordered_json file;
    if (description.library == "transformers")
        file = {{"architectures", nlohmann::ordered_json::array({name})},
            {"model_type", description.modelTypes.front()}, {"torch_dtype", config::toText(found.publishedDtype)}};
    else
        file["_class_name"] = name;
    for (const config::Field& field : found.fields.all())
        if (!isOwnField(field.name) && !field.defaultValue.isNull())
            file[field.name] = protocol::toJson(field.defaultValue);
    return file.dump(2) + "\n";
}

} // namespace headroom::experiments
