// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/Model.h"
#include "core/weights/WeightSource.h"

#include <functional>
#include <memory>

namespace headroom::models {

/// Builds the members of one family of the catalogue.
struct ModelFactory {
    std::string family;
    std::function<std::shared_ptr<Model>(const config::ValueMap& fields, const at::TensorOptions&)> build;
    std::function<Inputs(const config::Configuration&, const at::TensorOptions&)> inputs;
};

/// Every family that can be built; the same families as config::modelFamilies() (a test compares them).
const std::vector<ModelFactory>& modelFactories();

/// The configured model on the device and in the dtype of `options`, with the weights of its configuration, or else
/// initialised from the current random state. Throws FileError for weights that cannot be read or do not fit the model.
std::shared_ptr<Model> buildModel(const config::Configuration& configuration, const at::TensorOptions& options);

/// The same, module by module: `loaded` is called for each before memory for the next one is allocated.
std::shared_ptr<Model> buildModel(
    const config::Configuration& configuration, const at::TensorOptions& options, const ModuleLoaded& loaded);

/// How the configuration's weights differ from its model, built without memory. Empty if it has no weights.
WeightMismatch compareWeights(const config::Configuration& configuration);

/// Synthetic inputs of the configured shapes, from the current random state.
Inputs makeInputs(const config::Configuration& configuration, const at::TensorOptions& options);

} // namespace headroom::models
