// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/TrialTerms.h"
#include "profiling/trace/CategoryBytes.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom::figures {

struct CategoryRow {
    std::string id;
    std::string label;
    Provenance provenance = Provenance::Measured;
    Outcome outcome = Outcome::Completed;
    std::string reason;
    std::optional<trace::CategoryBytes> peak; ///< what allocated memory consisted of when it was the most
    std::string phase; ///< in which that was
    std::optional<std::size_t> reference; ///< the row that this one is compared with
};

struct CategoryBarsInput {
    std::string title;
    std::vector<CategoryRow> rows;
};

/// A horizontal bar for each row, in the order given, of what its peak consisted of: what a technique took away is the
/// piece that the bar of the row it is compared with has and its own has not. A row without a peak has its reason in
/// the place of a bar.
Figure categoryBarsFigure(const CategoryBarsInput& input);

} // namespace headroom::figures
