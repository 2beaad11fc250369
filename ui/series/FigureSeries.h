// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "ui/figures/FigureInk.h"

#include <QPointF>

#include <cstddef>
#include <optional>
#include <vector>

class QCustomPlot;

namespace headroom::ui {

class MarkGraph;

/// The series of a figure as plottables of QCustomPlot: bands and counters are graphs, fronts curves, references
/// straight lines; marks are graphs of points, one for each look, with error bars and graphs of rings.
class FigureSeries {
public:
    /// The layer of the marks; all else is on "main".
    static constexpr const char* kMarks = "marks";

    explicit FigureSeries(QCustomPlot& plot);

    /// In the place of what was plotted before.
    void plot(const figures::Figure& figure, const FigureInk& ink);
    /// The mark of the figure, of those that are seen, that is nearest to a place and within reach of it; of several at
    /// one place the one drawn last.
    std::optional<std::size_t> markAt(const QPointF& place) const;

private:
    void addBand(const figures::Band& band, const FigureInk& ink);
    void addLine(const figures::Polyline& line, const FigureInk& ink);
    void addReference(const figures::ReferenceLine& line, const FigureInk& ink);
    void addMarks(const figures::Figure& figure, const FigureInk& ink);
    /// Of marks that look alike.
    MarkGraph* addPoints(const figures::Figure& figure, std::vector<std::size_t> marks);
    void addErrors(const figures::Figure& figure, MarkGraph& graph, const QColor& colour);
    void addRings(const figures::Figure& figure, const FigureInk& ink);

    QCustomPlot& m_plot;
};

} // namespace headroom::ui
