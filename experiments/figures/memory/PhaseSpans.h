// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/memory/TimeAxis.h"
#include "profiling/trace/PhaseSpan.h"

#include <span>
#include <string>
#include <vector>

namespace headroom::figures {

/// Phases as spans of the time axis: nested ones one level further in, the same name in the same colour.
/// Empty phases and what lies outside of the window are left out.
std::vector<Span> phaseSpans(std::span<const trace::PhaseSpan> phases, const TimeWindow& window, const TimeAxis& axis);

/// "backward, step 3"
std::string phaseTitle(const trace::PhaseSpan& phase);

} // namespace headroom::figures
