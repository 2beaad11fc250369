// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Quantities.h"
#include "experiments/figures/Figure.h"
#include "experiments/figures/TrialTerms.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::figures {

struct TradeoffTrial {
    std::string id; ///< trial_id; comes back as the mark's id
    std::string label; ///< compact notation of what differs between the trials: "every:2", "all + 4:recompute"
    std::string group; ///< what shares a front, a colour and a shape, usually the device; may be empty
    std::string colourKey; ///< what shares a colour, where the input says by what
    std::string shapeKey; ///< what shares a shape, likewise
    Provenance provenance = Provenance::Measured;
    Outcome outcome = Outcome::Completed;
    std::string reason; ///< of an outcome other than completed
    std::optional<Bytes> peak;
    std::optional<double> perSecond; ///< in the input's unit
    std::optional<Interval95> interval; ///< of perSecond; drawn for measured trials
    std::vector<Flag> flags;
    std::optional<bool> fits{}; ///< the device; what does not is shown, but is on no front
    std::vector<std::string> details; ///< further lines for the hover text
};

enum class FrontLines { Shown, Hidden };

struct TradeoffInput {
    std::string title;
    MemoryKind memory = MemoryKind::Reserved;
    SpeedUnit unit = SpeedUnit::Steps;
    std::optional<Budget> budget;
    std::optional<Budget> usable; ///< memory of the device: a second line, only to compare with
    FrontLines front = FrontLines::Shown;
    std::optional<std::string> colourBy; ///< the name of what gives the colours, "checkpointing"; nothing: the group
    std::optional<std::string> shapeBy;
    std::vector<TradeoffTrial> trials;
};

/// In which the memory axis is.
SizeUnit memoryUnitOf(const TradeoffInput& input);

/// Peak memory against speed: a mark for each completed trial, a front for the measured and the predicted ones of each
/// group (never through both, never through implausible ones), and the others in the strip, with their reasons.
Figure tradeoffFigure(const TradeoffInput& input);

} // namespace headroom::figures
