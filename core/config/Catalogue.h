// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"
#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

/// Every model family, in the order in which they are listed.
const std::vector<ModelFamily>& modelFamilies();

/// Names of all models (variants of all families).
std::vector<std::string> modelNames();

/// Throws UsageError at `where`, naming the closest and all valid names.
ModelDescriptor findModel(const std::string& name, const std::string& where);

/// Every technique, in the order in which they are applied to a model.
const std::vector<TechniqueDescriptor>& techniqueCatalogue();
std::vector<std::string> techniqueKeys();

/// Throws UsageError at `where`, naming the closest and all valid keys.
const TechniqueDescriptor& findTechnique(const std::string& key, const std::string& where);

} // namespace headroom::config
