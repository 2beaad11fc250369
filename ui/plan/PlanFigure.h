// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"
#include "ui/plan/PlanRows.h"

#include <string>
#include <vector>

namespace headroom::ui {

/// Needed memory against speed of combinations of a plan; their places in the list are the marks' ids, and roles of the
/// rows are their labels. What needs far more than the card has is left out, and counted in a note, so that what may be
/// chosen is told apart.
FigurePtr planFigure(
    const std::vector<experiments::PlannedChoice>& choices, const std::vector<PlanRow>& rows, const std::string& card);

/// A figure that says why there is no plan.
FigurePtr figureWithoutPlan(const std::string& text);

} // namespace headroom::ui
