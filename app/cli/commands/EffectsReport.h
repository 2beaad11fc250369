// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "experiments/report/effects/Effects.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// Tables and sentences of each grid, and the document `headroom.effects/1`, whose main effects and interactions are
/// the records.
Report effectsReport(
    const std::string& experiment, const std::vector<report::Effects>& effects, report::EffectPeak peak);

/// The figures of all grids with their sentences, as an SVG file.
std::string effectsPicture(const std::string& experiment, const std::vector<report::Effects>& effects);

} // namespace headroom::cli
