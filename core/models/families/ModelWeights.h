// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/Model.h"
#include "core/weights/WeightSource.h"

#include <memory>

namespace headroom::models {

/// The configuration's source; null where it has none. Throws FileError for files that cannot be read.
std::unique_ptr<WeightSource> makeWeightSource(const config::Configuration& configuration, const Model& model);

} // namespace headroom::models
