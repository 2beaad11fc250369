// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/TechniqueRelief.h"

#include "core/config/catalogue/Catalogue.h"

#include <algorithm>

namespace headroom::config {

std::vector<Relief> reliefsOf(MemoryCategory category, const ModelContext& context)
{
    std::vector<Relief> found;
    for (const TechniqueDescriptor& technique : techniqueCatalogue()) {
        if (std::ranges::find(technique.relieves, category) == technique.relieves.end())
            continue;
        if (std::vector<std::string> notations = technique.candidateNotations(context); !notations.empty())
            found.push_back({technique.key, std::move(notations)});
    }
    return found;
}

} // namespace headroom::config
