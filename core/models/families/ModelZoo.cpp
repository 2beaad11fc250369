// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/ModelZoo.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/memory/ParameterStorage.h"
#include "core/models/families/CogVideoX.h"
#include "core/models/families/FfnStack.h"
#include "core/models/families/Flux.h"
#include "core/models/families/Llama.h"
#include "core/models/families/LtxVideo.h"
#include "core/models/families/T5Encoder.h"
#include "core/models/families/Wan.h"
#include "core/models/imported/ImportedModel.h"
#include "core/weights/FilledWeights.h"
#include "core/weights/StoredWeights.h"

#include <algorithm>

namespace headroom::models {
namespace {

// Null unless the model was imported with its weights.
std::unique_ptr<WeightSource> valuesOfArchive(const config::Configuration& configuration)
{
    if (!config::isImportedName(configuration.model))
        return nullptr;
    auto archive = archiveOf(configuration);
    return ArchiveWeights::hasWeights(*archive) ? std::make_unique<ArchiveWeights>(std::move(archive)) : nullptr;
}

// The configuration's weight source; null if it has none. Throws FileError for files that cannot be read.
std::unique_ptr<WeightSource> makeWeightSource(const config::Configuration& configuration, const Model& model)
{
    const std::string weights = config::weightsOf(configuration.modelFields);
    if (weights.empty())
        return valuesOfArchive(configuration);
    if (weights == config::kFilledWeights)
        return std::make_unique<FilledWeights>(model);
    return std::make_unique<StoredWeights>(
        weights, config::findModel(configuration.model, "model.name").family->upstream.weights);
}

ModelFactory ffnStack()
{
    return {"ffn-stack",
        [](const config::ValueMap& fields, const at::TensorOptions& options) {
            return std::make_shared<FfnStack>(fields, options);
        },
        ffnStackInputs};
}

ModelFactory ltxVideo()
{
    return {"ltx-video",
        [](const config::ValueMap& fields, const at::TensorOptions& options) {
            return std::make_shared<LtxVideo>(fields, options);
        },
        ltxVideoInputs};
}

ModelFactory wan()
{
    return {"wan",
        [](const config::ValueMap& fields, const at::TensorOptions& options) {
            return std::make_shared<Wan>(fields, options);
        },
        wanInputs};
}

ModelFactory flux()
{
    return {"flux",
        [](const config::ValueMap& fields, const at::TensorOptions& options) {
            return std::make_shared<Flux>(fields, options);
        },
        fluxInputs};
}

ModelFactory cogVideoX()
{
    return {"cogvideox",
        [](const config::ValueMap& fields, const at::TensorOptions& options) {
            return std::make_shared<CogVideoX>(fields, options);
        },
        cogVideoXInputs};
}

ModelFactory llama()
{
    return {"llama",
        [](const config::ValueMap& fields, const at::TensorOptions& options) {
            return std::make_shared<Llama>(fields, options);
        },
        llamaInputs};
}

ModelFactory t5Encoder()
{
    return {"t5-encoder",
        [](const config::ValueMap& fields, const at::TensorOptions& options) {
            return std::make_shared<T5Encoder>(fields, options);
        },
        t5EncoderInputs};
}

// An archive is read for each configuration: its factory is made on the spot.
ModelFactory importedFactory(const config::Configuration& configuration)
{
    return {config::kImportedFamily,
        [archive = archiveOf(configuration)](const config::ValueMap& fields, const at::TensorOptions& options) {
            const config::Value& blocks = fields.at(config::kBlocksField);
            return std::make_shared<ImportedModel>(archive, blocks.isText() ? blocks.text() : std::string(), options);
        },
        importedInputs};
}

ModelFactory factoryOf(const config::Configuration& configuration)
{
    if (config::isImportedName(configuration.model))
        return importedFactory(configuration);
    const std::string& family = config::findModel(configuration.model, "model.name").family->name;
    const auto& factories = modelFactories();
    const auto it = std::find_if(factories.begin(), factories.end(), [&](const auto& f) { return f.family == family; });
    if (it == factories.end())
        throw TrialError("the model family \"" + family + "\" cannot be built", "model.name");
    return *it;
}

std::unique_ptr<WeightSource> fittingWeights(const config::Configuration& configuration, const Model& model)
{
    auto weights = makeWeightSource(configuration, model);
    if (weights)
        requireFitting(*weights, model);
    return weights;
}

void fillOneByOne(torch::nn::Module& model, const WeightSource& weights, const ModuleLoaded& loaded)
{
    const torch::NoGradGuard noGradients;
    for (const auto& item : model.named_modules()) {
        tensor::allocateParameters(*item.value());
        weights.fill(item.key(), *item.value());
        loaded(item.key(), *item.value());
    }
}

} // namespace

const std::vector<ModelFactory>& modelFactories()
{
    static const std::vector<ModelFactory> factories{
        ffnStack(), ltxVideo(), flux(), wan(), cogVideoX(), llama(), t5Encoder()};
    return factories;
}

std::shared_ptr<Model> buildModel(const config::Configuration& configuration, const at::TensorOptions& options)
{
    auto model = factoryOf(configuration).build(configuration.modelFields, options);
    if (const auto weights = fittingWeights(configuration, *model))
        fillOneByOne(*model, *weights, [](const std::string&, torch::nn::Module&) { });
    else
        initialise(*model);
    return model;
}

std::shared_ptr<Model> buildModel(
    const config::Configuration& configuration, const at::TensorOptions& options, const ModuleLoaded& loaded)
{
    const tensor::DeferredParameters deferred;
    auto model = factoryOf(configuration).build(configuration.modelFields, options);
    if (const auto weights = fittingWeights(configuration, *model))
        fillOneByOne(*model, *weights, loaded);
    else
        initialiseOneByOne(*model, loaded);
    return model;
}

WeightMismatch compareWeights(const config::Configuration& configuration)
{
    const auto model = factoryOf(configuration).build(configuration.modelFields, at::TensorOptions().device(at::kMeta));
    const auto weights = makeWeightSource(configuration, *model);
    return weights ? weights->compare(*model) : WeightMismatch{};
}

Inputs makeInputs(const config::Configuration& configuration, const at::TensorOptions& options)
{
    return factoryOf(configuration).inputs(configuration, options);
}

} // namespace headroom::models
