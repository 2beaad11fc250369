// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"
#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

/// The field that every model of the catalogue has beside its family's own: where its weights come from.
inline constexpr const char* kWeightsField = "weights";
/// The value of that field for weights by the rule of the reference values.
inline constexpr const char* kFilledWeights = "fill";
/// Its value, empty where none is given: random weights.
std::string weightsOf(const ValueMap& modelFields);

/// Every model family, in the order in which they are listed.
const std::vector<ModelFamily>& modelFamilies();

/// Names of all models (variants of all families).
std::vector<std::string> modelNames();

/// By its name or an alias. Its fields are the family's and `weights`. Throws UsageError at `where`, naming the closest
/// and all valid names.
ModelDescriptor findModel(const std::string& name, const std::string& where);

/// Every technique, in the order in which they are applied to a model.
const std::vector<TechniqueDescriptor>& techniqueCatalogue();
std::vector<std::string> techniqueKeys();

/// Throws UsageError at `where`, naming the closest and all valid keys.
const TechniqueDescriptor& findTechnique(const std::string& key, const std::string& where);

} // namespace headroom::config
