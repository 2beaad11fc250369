// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"

#include <string>
#include <utility>
#include <vector>

namespace headroom::config {

/// One of all the settings that a technique can have.
struct RangeSetting {
    std::string notation; ///< canonical
    ValueMap options = {}; ///< those that it sets; all others stay as they are
    int effort = 0; ///< as of a Candidate; 0: the technique is off
    /// Settings of one kind differ by their extent: a share, or the logarithm of a count.
    std::string kind = {};
    double extent = 0;
};

/// All settings that a technique can have with a model and still do the same task, and what is known of them before
/// anything is measured: what `headroom plan` searches.
struct TechniqueRange {
    /// Indices of two settings, the lower first.
    using Pair = std::pair<std::size_t, std::size_t>;

    std::vector<RangeSetting> settings = {};
    /// The first allocates no more device memory at its peak than the second, whatever else is set.
    std::vector<Pair> lessMemory = {};
    /// The first takes no more time than the second, whatever else is set.
    std::vector<Pair> lessTime = {};
    /// If not empty: the technique that has to be off for `lessTime` to hold.
    std::string timeOrderWithout = {};
    /// Whether its memory and time do not depend on how the other levers are set, so that its settings can be compared
    /// in one place.
    bool isIndependent = false;
};

} // namespace headroom::config
