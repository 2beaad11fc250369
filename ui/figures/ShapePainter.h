// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"

#include <QPainterPath>

namespace headroom::ui {

/// How heavy the outline of a predicted mark is: marks without a label are slighter, those of a timeline not dashed.
enum class Outline { Usual, Minor, Solid };

Outline outlineOf(const figures::Mark& mark, const figures::Figure& figure);

/// How a shape is drawn. Measured: filled. Predicted: hollow and dashed.
struct ShapeInk {
    QPen pen;
    QBrush brush;
};
ShapeInk shapeInk(const FigureInk& ink, const figures::Look& look, Outline outline);

QPainterPath shapePath(figures::Shape shape, const figures::Pixel& at, double radius);

/// Around a shape: round, or square for what is implausible.
QPainterPath ringPath(figures::Flag flag, const figures::Pixel& at, double radius);

void paintShape(QPainter& painter, const FigureInk& ink, const figures::Look& look, const figures::Pixel& at,
    double radius, Outline outline);

/// Each flag with a stroke of its own.
void paintFlagRing(
    QPainter& painter, const FigureInk& ink, figures::Flag flag, const figures::Pixel& at, double radius);

/// An upright bar with caps.
void paintErrorBar(QPainter& painter, const QColor& colour, double x, double top, double bottom);

/// A piece of a bar; a predicted one is pale, with a dashed outline.
void paintBar(QPainter& painter, const FigureInk& ink, const figures::Box& box, const figures::Look& look);

} // namespace headroom::ui
