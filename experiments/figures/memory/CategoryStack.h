// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/memory/TimeAxis.h"
#include "profiling/trace/CategoryBytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::figures {

/// Where a stack stands.
struct StackAxes {
    TimeWindow window;
    TimeAxis time;
    SizeUnit memory;
    Provenance provenance = Provenance::Measured;
};

/// A layer for each category that occurs in the buckets, in the order of config::kMemoryCategories from the bottom to
/// the top: each shows what a bucket consisted of when it was the most, so that the top of the stack is that most.
std::vector<Layer> categoryLayers(std::span<const trace::CategoryBucket> buckets, const StackAxes& axes);

/// At most `most` buckets of equal length; the maximum of each, and what it consisted of, stay exact.
std::vector<trace::CategoryBucket> folded(
    const std::vector<trace::CategoryBucket>& buckets, std::int64_t endNs, std::size_t most);

/// The legend of the layers, in their order.
std::vector<LegendEntry> layerLegend(const std::vector<Layer>& layers);

/// "Saved activations 17.1 GiB (64.2 %)" for each category that holds something, the largest first.
std::vector<std::string> categoryLines(const trace::CategoryBytes& categories);

} // namespace headroom::figures
