// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/report/effects/Effects.h"

#include <optional>
#include <vector>

namespace headroom::report {

/// A bar for each effect and each interaction on the peak.
figures::Figure effectBarsOf(const Effects& effects);
/// The same on the step time; nothing where no step time is known.
std::optional<figures::Figure> stepBarsOf(const Effects& effects);

/// An interaction plot for each pair of settings that is notable, the strongest first, at most `most`. Of each pair the
/// technique whose effect depends on the other is on the axis.
std::vector<figures::Figure> interactionPlotsOf(const Effects& effects, std::size_t most);

} // namespace headroom::report
