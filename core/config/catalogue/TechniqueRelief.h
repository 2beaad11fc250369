// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"
#include "core/config/TechniqueDescriptor.h"

#include <string>
#include <vector>

namespace headroom::config {

/// A technique that would reduce the memory of one category, with notations that work with the model, the simplest
/// first.
struct Relief {
    std::string technique;
    std::vector<std::string> notations;

    bool operator==(const Relief&) const = default;
};

/// All such techniques in the order of the catalogue; those that cannot work with the model are left out.
std::vector<Relief> reliefsOf(MemoryCategory category, const ModelContext& context);

} // namespace headroom::config
