// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/SpecSettings.h"

#include <compare>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Whether a value stands in the spec, or follows from another one that does.
enum class ValueOrigin { Given, Implied };

/// One value with the place it was written at, for messages; of an implied one that of what implies it.
struct PlacedValue {
    config::Value value;
    std::string where;
    ValueOrigin origin = ValueOrigin::Given;
};

/// The values of one point of the sweep, by path.
using SweepPoint = std::map<std::string, PlacedValue>;

/// One setting of a part with the values it takes, one or more.
struct SweepAxis {
    std::string path;
    std::vector<PlacedValue> values;
};

/// The axes of a part, slowest first: device, protocol, model, workload, techniques in catalogue order. A step that is
/// implied (ImpliedStep.h) stands behind them. Throws UsageError for keys that no model of the part has, for an axis
/// without values, for a list that is no axis, and for a value that is none where it may imply a step.
std::vector<SweepAxis> sweepAxes(const SpecSettings& part);

/// Number of points, at most `kMostTrials` + 1.
std::size_t numberOfPoints(const std::vector<SweepAxis>& axes);

/// The point with this index; the last axis varies fastest.
SweepPoint pointAt(const std::vector<SweepAxis>& axes, std::size_t index);

} // namespace headroom::experiments
