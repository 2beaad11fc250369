// SPDX-License-Identifier: Apache-2.0
#include "experiments/recordings/SettingSuggestions.h"

#include "core/base/Quantities.h"
#include "experiments/sweep/AllocatorSetting.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace headroom::experiments {
namespace {

/// Less is better: what is reserved, then the memory that it takes at least.
auto rankOf(const WhatIfRow& row)
{
    return std::tuple(row.outcome.peakReservedBytes, row.smallestCapacityBytes);
}

bool reservesLess(const WhatIfRow& row, const WhatIfRow& recorded)
{
    return row.outcome.peakReservedBytes < recorded.outcome.peakReservedBytes;
}

std::string howMuch(const WhatIfRow& recorded, const WhatIfRow& best)
{
    if (!recorded.fits() && best.fits())
        return fmt::format("With {} everything is served: {} reserved at most, {} of them unused then.", best.allocator,
            sizeText(best.outcome.peakReservedBytes), sizeText(best.unusedBytes()));
    if (reservesLess(best, recorded))
        return fmt::format("{} reserves {} less for the same requests: {} instead of {} at most.", best.allocator,
            sizeText(recorded.outcome.peakReservedBytes - best.outcome.peakReservedBytes),
            sizeText(best.outcome.peakReservedBytes), sizeText(recorded.outcome.peakReservedBytes));
    return fmt::format("{} does with less memory, where it has to: {} instead of {}, with flushes of the cache.",
        best.allocator, sizeText(best.smallestCapacityBytes), sizeText(recorded.smallestCapacityBytes));
}

// On a smaller card; of those that take about as little, the one that leaves the least unused.
const WhatIfRow& leastMemory(const std::vector<WhatIfRow>& rows)
{
    const Bytes least = std::ranges::min(rows, {}, &WhatIfRow::smallestCapacityBytes).smallestCapacityBytes;
    return *std::ranges::min_element(rows, {}, [&](const WhatIfRow& row) {
        return std::tuple(row.smallestCapacityBytes > least + least / 100, row.unusedBytes());
    });
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

// What runs out of memory reserves less because it serves less: it helps nobody.
std::optional<SettingSuggestion> bestSetting(const std::vector<WhatIfRow>& rows)
{
    const auto recorded = std::ranges::find_if(rows, &WhatIfRow::isRecorded);
    std::vector<WhatIfRow> served;
    std::ranges::copy_if(rows, std::back_inserter(served), &WhatIfRow::fits);
    if (recorded == rows.end() || served.empty())
        return std::nullopt;
    WhatIfRow best = std::ranges::min(served, {}, rankOf);
    const bool helps = !recorded->fits() || reservesLess(best, *recorded);
    if (!helps)
        best = leastMemory(served);
    if (best.isRecorded || (!helps && best.smallestCapacityBytes >= recorded->smallestCapacityBytes))
        return std::nullopt;
    return SettingSuggestion{best.allocator, howMuch(*recorded, best), lineFor(best.allocator)};
}

} // namespace headroom::experiments
