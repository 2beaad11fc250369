// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"
#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

/// The field that every model of the catalogue has in addition to its family's: where its weights come from.
inline constexpr const char* kWeightsField = "weights";
/// The value of that field for weights filled by the rule of the reference values.
inline constexpr const char* kFilledWeights = "fill";
/// The field's value, empty if none is given: random weights.
std::string weightsOf(const ValueMap& modelFields);

/// Every model family, in the order in which they are listed.
const std::vector<ModelFamily>& modelFamilies();

/// Names of all models (variants of all families).
std::vector<std::string> modelNames();

/// Finds a model by its name or an alias. Its fields are the family's and `weights`. Throws UsageError at `where`,
/// naming the closest and all valid names.
ModelDescriptor findModel(const std::string& name, const std::string& where);

/// Every technique, in the order in which they are applied to a model.
const std::vector<TechniqueDescriptor>& techniqueCatalogue();
std::vector<std::string> techniqueKeys();

/// Throws UsageError at `where`, naming the closest and all valid keys.
const TechniqueDescriptor& findTechnique(const std::string& key, const std::string& where);

} // namespace headroom::config
