// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"

namespace headroom::figures {

/// A stretch of an axis.
struct Stretch {
    double low = 0;
    double high = 1;

    bool holds(double value) const { return value >= low && value <= high; }
    bool operator==(const Stretch&) const = default;
};

/// What is seen of a figure.
struct Window {
    Stretch x;
    Stretch y;

    bool operator==(const Window&) const = default;
};

/// What the figure's axes show.
Window windowOf(const Figure& figure);

/// The axis over another stretch, with ticks for it. The rows of a category axis stay.
Axis windowed(const Axis& axis, const Stretch& stretch);

/// The part of a figure that lies in a window: what is outside is left out or cut at the edge. Spans, bars, the words
/// at bars and the strip keep their number and order. It has no table: that is of the whole.
Figure windowed(const Figure& figure, const Window& window);

} // namespace headroom::figures
