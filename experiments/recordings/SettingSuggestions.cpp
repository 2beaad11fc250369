// SPDX-License-Identifier: Apache-2.0
#include "experiments/recordings/SettingSuggestions.h"

#include "core/base/Quantities.h"
#include "experiments/sweep/AllocatorSetting.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace headroom::experiments {
namespace {

/// Less is better: first that everything is served, then the card that it takes, then what is reserved.
auto rankOf(const WhatIfRow& row)
{
    return std::tuple(!row.fits(), row.smallestCapacityBytes, row.outcome.peakReservedBytes);
}

std::string howMuch(const WhatIfRow& recorded, const WhatIfRow& best)
{
    const auto difference = recorded.smallestCapacityBytes - best.smallestCapacityBytes;
    if (!recorded.fits() && best.fits())
        return fmt::format("With {} everything is served: {} reserved at most, {} of them unused then.", best.allocator,
            sizeText(best.outcome.peakReservedBytes), sizeText(best.unusedBytes()));
    return fmt::format("{} needs {} less for the same requests: {} instead of {}.", best.allocator,
        sizeText(difference), sizeText(best.smallestCapacityBytes), sizeText(recorded.smallestCapacityBytes));
}

std::string lineFor(const std::string& allocator)
{
    return allocator == kDefaultAllocator ? "unset PYTORCH_CUDA_ALLOC_CONF"
                                          : "export PYTORCH_CUDA_ALLOC_CONF=" + allocator;
}

} // namespace

std::vector<std::string> sensibleSettings(bool hasLimit)
{
    std::vector<std::string> settings{"", "expandable_segments:True", "max_split_size_mb:32", "max_split_size_mb:64",
        "max_split_size_mb:128", "max_split_size_mb:256", "max_split_size_mb:512", "roundup_power2_divisions:4",
        "roundup_power2_divisions:8", "roundup_power2_divisions:16"};
    if (hasLimit) // without one the threshold has nothing to act at
        for (const char* threshold : {"0.6", "0.8", "0.9"})
            settings.push_back(
                fmt::format("per_process_memory_fraction:1.0,garbage_collection_threshold:{}", threshold));
    return settings;
}

std::optional<SettingSuggestion> bestSetting(const std::vector<WhatIfRow>& rows)
{
    const WhatIfRow* recorded = nullptr;
    const WhatIfRow* best = nullptr;
    for (const WhatIfRow& row : rows) {
        if (row.isRecorded && recorded == nullptr)
            recorded = &row;
        if (best == nullptr || rankOf(row) < rankOf(*best))
            best = &row;
    }
    if (recorded == nullptr || best == recorded || !(rankOf(*best) < rankOf(*recorded)))
        return std::nullopt;
    const bool isSmaller = best->smallestCapacityBytes < recorded->smallestCapacityBytes;
    if (!isSmaller && best->fits() == recorded->fits())
        return std::nullopt;
    return SettingSuggestion{best->allocator, howMuch(*recorded, *best), lineFor(best->allocator)};
}

} // namespace headroom::experiments
