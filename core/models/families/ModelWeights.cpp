// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/ModelWeights.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Upstream.h"
#include "core/weights/FilledWeights.h"
#include "core/weights/StoredWeights.h"

namespace headroom::models {

std::unique_ptr<WeightSource> makeWeightSource(const config::Configuration& configuration, const Model& model)
{
    const std::string weights = config::weightsOf(configuration.modelFields);
    if (weights.empty())
        return nullptr;
    if (weights == config::kFilledWeights)
        return std::make_unique<FilledWeights>(model);
    const std::string& family = config::findModel(configuration.model, "model.name").family->name;
    return std::make_unique<StoredWeights>(weights, config::upstreamOf(family).weights);
}

} // namespace headroom::models
