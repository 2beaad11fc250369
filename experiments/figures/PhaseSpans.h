// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/QuantityText.h"
#include "profiling/trace/PhaseSpan.h"

#include <span>
#include <string>
#include <vector>

namespace headroom::figures {

/// Phases as spans of the time axis: nested ones one level further in, the same name in the same colour.
/// Empty phases and what lies before the trace's start are left out.
std::vector<Span> phaseSpans(std::span<const trace::PhaseSpan> phases, const TimeUnit& unit);

/// "backward, step 3"
std::string phaseTitle(const trace::PhaseSpan& phase);

} // namespace headroom::figures
