// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/CategoryStack.h"

#include "experiments/figures/CategoryLook.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::figures {

using config::MemoryCategory;

namespace {

bool occurs(std::span<const trace::CategoryBucket> buckets, MemoryCategory category)
{
    return std::any_of(buckets.begin(), buckets.end(),
        [category](const trace::CategoryBucket& bucket) { return bucket.atMax.of(category) != 0; });
}

/// What lies below a category and what it reaches up to.
std::pair<Bytes, Bytes> reachOf(const trace::CategoryBytes& bytes, MemoryCategory category)
{
    Bytes below = 0;
    for (const MemoryCategory other : config::kMemoryCategories) {
        if (other == category)
            break;
        below += bytes.of(other);
    }
    return {below, below + bytes.of(category)};
}

Layer layerOf(std::span<const trace::CategoryBucket> buckets, MemoryCategory category, const StackAxes& axes)
{
    Layer layer{lookOf(category, axes.provenance), std::string(config::titleOf(category)), {}};
    for (const trace::CategoryBucket& bucket : buckets) {
        const auto [low, high] = reachOf(bucket.atMax, category);
        const std::int64_t begin = std::max(bucket.allocated.beginNs, axes.window.beginNs);
        layer.points.push_back({axes.time.of(begin), axes.memory.of(low), axes.memory.of(high)});
    }
    BandPoint end = layer.points.back();
    end.x = axes.time.of(axes.window.endNs);
    layer.points.push_back(end);
    return layer;
}

} // namespace

std::vector<Layer> categoryLayers(std::span<const trace::CategoryBucket> buckets, const StackAxes& axes)
{
    std::vector<Layer> layers;
    for (const MemoryCategory category : config::kMemoryCategories)
        if (occurs(buckets, category))
            layers.push_back(layerOf(buckets, category, axes));
    return layers;
}

std::vector<trace::CategoryBucket> folded(
    const std::vector<trace::CategoryBucket>& buckets, std::int64_t endNs, std::size_t most)
{
    if (buckets.size() <= most)
        return buckets;
    const std::int64_t beginNs = buckets.front().allocated.beginNs;
    const std::int64_t spanNs = std::max<std::int64_t>(endNs - beginNs, 1);
    const std::int64_t widthNs = spanNs / static_cast<std::int64_t>(most) + 1;
    std::vector<trace::CategoryBucket> result;
    std::size_t next = 0;
    for (std::int64_t at = beginNs; at < beginNs + spanNs; at += widthNs) {
        // As folded(): what the bucket before reaches in with counts.
        const bool isCarried = next > 0 && (next == buckets.size() || buckets[next].allocated.beginNs > at);
        trace::CategoryBucket fold = buckets[isCarried ? next - 1 : next];
        fold.allocated.beginNs = at;
        fold.allocated.endNs = at + widthNs;
        for (; next < buckets.size() && buckets[next].allocated.beginNs < at + widthNs; ++next) {
            const trace::CategoryBucket& bucket = buckets[next];
            if (bucket.allocated.max > fold.allocated.max)
                fold.atMax = bucket.atMax;
            fold.allocated.max = std::max(fold.allocated.max, bucket.allocated.max);
            fold.allocated.min = std::min(fold.allocated.min, bucket.allocated.min);
            fold.allocated.last = bucket.allocated.last;
        }
        result.push_back(fold);
    }
    return result;
}

std::vector<LegendEntry> layerLegend(const std::vector<Layer>& layers)
{
    std::vector<LegendEntry> legend;
    for (const Layer& layer : layers)
        legend.push_back({Symbol::Bar, layer.look, {}, layer.name});
    return legend;
}

std::vector<std::string> categoryLines(const trace::CategoryBytes& categories)
{
    std::vector<MemoryCategory> order(config::kMemoryCategories.begin(), config::kMemoryCategories.end());
    std::stable_sort(order.begin(), order.end(),
        [&](MemoryCategory a, MemoryCategory b) { return categories.of(a) > categories.of(b); });
    std::vector<std::string> lines;
    for (const MemoryCategory category : order)
        if (categories.of(category) != 0)
            lines.push_back(fmt::format("{} {} ({})", config::titleOf(category), sizeText(categories.of(category)),
                shareText(categories.of(category), categories.total())));
    return lines;
}

} // namespace headroom::figures
