// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/TrialTerms.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::figures {

struct PeakRow {
    std::string id;
    std::string label;
    Provenance provenance = Provenance::Measured;
    Outcome outcome = Outcome::Completed;
    std::string reason;
    std::optional<Bytes> peak;
    std::optional<Bytes> afterLoad; ///< what the model holds before the first step; part of the peak
    std::optional<Bytes> harness; ///< what the measuring itself holds; part of the peak
    std::vector<Flag> flags;
};

struct PeakBarsInput {
    std::string title;
    MemoryKind memory = MemoryKind::Reserved;
    std::optional<Budget> budget;
    std::vector<PeakRow> rows;
};

/// A horizontal bar for each row, in the order given. A row without a peak has its reason in the place of a bar.
Figure peakBarsFigure(const PeakBarsInput& input);

} // namespace headroom::figures
