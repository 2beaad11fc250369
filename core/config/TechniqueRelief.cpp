// SPDX-License-Identifier: Apache-2.0
#include "core/config/TechniqueRelief.h"

#include "core/config/Catalogue.h"

#include <algorithm>
#include <map>

namespace headroom::config {
namespace {

using enum MemoryCategory;

// One line a technique; a test compares them with the catalogue.
const std::map<std::string, std::vector<MemoryCategory>>& reliefs()
{
    static const std::map<std::string, std::vector<MemoryCategory>> byTechnique{
        // Blocks keep their inputs only.
        {"checkpointing", {SavedActivations}},
        // A slice of the hidden layer at a time; with recomputation no slice is kept.
        {"split_ffn", {SavedActivations, Temporaries}},
    };
    return byTechnique;
}

} // namespace

std::vector<MemoryCategory> relievedCategories(const std::string& technique, const std::string& where)
{
    const auto found = reliefs().find(findTechnique(technique, where).key);
    return found == reliefs().end() ? std::vector<MemoryCategory>() : found->second;
}

std::vector<Relief> reliefsOf(MemoryCategory category, const ModelContext& context)
{
    std::vector<Relief> found;
    for (const TechniqueDescriptor& technique : techniqueCatalogue()) {
        const auto relieved = relievedCategories(technique.key, "technique");
        if (std::ranges::find(relieved, category) == relieved.end())
            continue;
        if (std::vector<std::string> notations = technique.candidates(context); !notations.empty())
            found.push_back({technique.key, std::move(notations)});
    }
    return found;
}

} // namespace headroom::config
