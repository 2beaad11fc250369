// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/PeakTree.h"

#include <map>
#include <memory>

namespace headroom::ui {

/// Whose the memory at a peak was, seen in every order. Immutable once it is handed over.
struct PeakTrees {
    std::map<trace::Grouping, figures::PeakTreeRow> by; ///< one for each of trace::Grouping
    trace::CategoryBytes categories;
};

using PeakTreesPtr = std::shared_ptr<const PeakTrees>;

} // namespace headroom::ui
