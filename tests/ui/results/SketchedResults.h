// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/ResultSet.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::ui {

/// A trial of ffn-stack-tiny with a record as a run leaves it.
struct TrialSketch {
    std::string splitFfn = "off";
    std::string device = "sim:t4";
    double peakGib = 1;
    std::optional<double> stepsPerSecond = 1;
    std::string outcome = "completed";
};

/// An experiment named "sketch" with these trials, without a workspace.
Results sketchedResults(const std::vector<TrialSketch>& sketches);

/// Two predicted trials and a measured one: without techniques, with a split of 2, of 4.
Results threeSketchedTrials();

} // namespace headroom::ui
