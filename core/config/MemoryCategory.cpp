// SPDX-License-Identifier: Apache-2.0
#include "core/config/MemoryCategory.h"

#include <algorithm>

namespace headroom::config {
namespace {

struct Names {
    std::string_view text;
    std::string_view title;
};

constexpr std::array<Names, kMemoryCategoryCount> kNames{
    {{"weights", "Weights"}, {"gradients", "Gradients"}, {"optimizer_state", "Optimizer state"}, {"ema", "EMA"},
        {"saved_activations", "Saved activations"}, {"recomputed_activations", "Recomputed activations"},
        {"upcast_copies", "Upcast copies"}, {"workspaces", "Workspaces"}, {"inputs", "Inputs"},
        {"temporaries", "Temporaries"}, {"harness", "Harness"}, {"unknown", "Unknown"}}};

const Names& namesOf(MemoryCategory category)
{
    return kNames.at(static_cast<std::size_t>(category));
}

} // namespace

std::string_view toText(MemoryCategory category)
{
    return namesOf(category).text;
}

std::optional<MemoryCategory> memoryCategoryFromText(std::string_view text)
{
    const auto* found =
        std::ranges::find_if(kMemoryCategories, [text](MemoryCategory category) { return toText(category) == text; });
    if (found == kMemoryCategories.end())
        return std::nullopt;
    return *found;
}

std::string_view titleOf(MemoryCategory category)
{
    return namesOf(category).title;
}

} // namespace headroom::config
