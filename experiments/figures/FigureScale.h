// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"

namespace headroom::figures {

enum class AxisName { X, Y };

/// Whether all values along an axis are positive, so that it can be logarithmic.
bool canBeLogarithmic(const Figure& figure, AxisName axis);

/// The figure with a linear or logarithmic axis over all its values; its label says so. A figure whose axis has that
/// scale, or cannot have it, comes back as it is.
Figure scaled(Figure figure, AxisName axis, Scale scale);

/// "Peak (GiB)" and "Peak (GiB, log scale)".
std::string labelFor(Scale scale, const std::string& label);

} // namespace headroom::figures
