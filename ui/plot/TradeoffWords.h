// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/tradeoff/TradeoffFigure.h"
#include "ui/session/ResultSet.h"

#include <string>

namespace headroom::ui {

/// What a plot says about a trial that is pointed at: the row that the table of trials has for it, cell by cell.
figures::Hover hoverOf(const ResultSet& results, const report::ReportTrial& trial);

/// What has to be known of a chosen trial, in one sentence: what it needs at which speed, how that stands to the
/// reference, and whether it is on the front or which trial beats it. `input` is the tradeoff that shows it; empty for
/// a trial that it does not show.
std::string chosenSentence(const ResultSet& results, const figures::TradeoffInput& input, const std::string& trialId);

} // namespace headroom::ui
