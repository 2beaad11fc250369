// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/drawing/Canvas.h"

#include <vector>

namespace headroom::figures {

/// The corners of a shape around (0, 0), of the area of a circle of about radius 1, so that no shape outweighs another;
/// none of a circle and a cross.
std::vector<Pixel> cornersOf(Shape shape);
/// Half of a cross' width, of its radius.
inline constexpr double kCrossArm = 0.8;

Outline outlineOf(const Mark& mark, const Figure& figure);
/// Of a mark that has a label.
Outline usualOutline(const Figure& figure);

void drawShape(Canvas& canvas, const Look& look, const Pixel& at, double radius, Outline outline);

/// Around a shape: round, or square for what is implausible, each flag with a stroke of its own.
void drawRing(Canvas& canvas, Flag flag, const Pixel& at, double radius);

/// An upright bar with caps.
void drawErrorBar(Canvas& canvas, Role role, const Look& look, double x, double top, double bottom);

} // namespace headroom::figures
