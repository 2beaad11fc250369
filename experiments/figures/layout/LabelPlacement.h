// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Box.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace headroom::figures {

struct LabelRequest {
    Pixel anchor; ///< the middle of the mark
    double radius = 0; ///< of the mark
    std::vector<double> widths; ///< of the text and of shorter forms of it, the most liked first
    double height = 0;
};

struct Obstacles {
    Box area; ///< labels stay inside
    std::vector<Box> boxes; ///< never covered: marks, error bars, other words
    std::vector<Segment> lines; ///< better not covered
    std::vector<Segment> walls = {}; ///< never covered; leaders may cross them
};

struct PlacedLabel {
    std::size_t request = 0;
    std::size_t form = 0; ///< which of the request's widths
    Box box;
    std::optional<Segment> leader; ///< from the mark to a label that is not beside it
};

struct Placement {
    std::vector<PlacedLabel> placed;
    std::vector<std::size_t> dropped; ///< requests without a free place
};

/// Gives each request the best free place around its mark, the first request first: beside the mark, or further off
/// with a leader, and a shorter form only where there is no place for a longer one. No label overlaps another one, a
/// box or a leader, and no leader crosses one of these.
Placement placeLabels(std::span<const LabelRequest> requests, const Obstacles& obstacles);

} // namespace headroom::figures
