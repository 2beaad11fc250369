// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Quantities.h"
#include "experiments/figures/tradeoff/TradeoffFigure.h"
#include "experiments/figures/tradeoff/TradeoffFronts.h"

#include <cstddef>
#include <string>

namespace headroom::figures {

/// All trials of a trade-off, in the order of the input.
Table tradeoffTable(const TradeoffInput& input, const TradeoffFronts& fronts, const SizeUnit& unit);

Hover tradeoffHover(const TradeoffInput& input, const TradeoffFronts& fronts, std::size_t trial);

/// Why a trial is in the strip: its outcome and reason, or what a completed one lacks.
std::string whyNoPlace(const TradeoffTrial& trial);

} // namespace headroom::figures
