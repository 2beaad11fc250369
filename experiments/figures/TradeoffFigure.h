// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/TrialTerms.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::figures {

struct TradeoffTrial {
    std::string id; ///< trial_id; comes back as the mark's id
    std::string label; ///< compact notation of what differs between the trials: "every:2", "all + 4:recompute"
    std::string group; ///< what shares a colour, a shape and a front, usually the device; may be empty
    Provenance provenance = Provenance::Measured;
    Outcome outcome = Outcome::Completed;
    std::string reason; ///< of an outcome other than completed
    std::optional<Bytes> peak;
    std::optional<double> perSecond; ///< in the input's unit
    std::optional<Interval95> interval; ///< of perSecond; drawn for measured trials
    std::vector<Flag> flags;
    std::vector<std::string> details; ///< further lines for the hover text
};

struct TradeoffInput {
    std::string title;
    MemoryKind memory = MemoryKind::Reserved;
    SpeedUnit unit = SpeedUnit::Steps;
    std::optional<Budget> budget;
    std::vector<TradeoffTrial> trials;
};

/// Peak memory against speed: a mark for each completed trial, a front for the measured and the predicted ones of each
/// group (never through both, never through implausible ones), and the others in the strip, with their reasons.
Figure tradeoffFigure(const TradeoffInput& input);

} // namespace headroom::figures
