// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"
#include "ui/figures/PlotScene.h"

#include <cstddef>
#include <set>
#include <utility>

namespace headroom::ui {

/// How the layers of a stack are painted: pixels are quick whatever there is of values, outlines are for files.
enum class StackForm { Pixels, Outlines };

/// Paints what stands between the axes of a figure and is no series of points: spans, stacks, bars, words. While the
/// axes move, all of it goes with the data.
class DataPainter {
public:
    DataPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter);

    /// Behind the lines: spans, the layers of a stack.
    void paintGround(StackForm form);
    /// Between lines and marks: names of layers and references, bars and the words at them.
    void paintRows();
    /// Before all: the labels of marks.
    void paintLabels();
    /// Covers the layers of the stack that do not look like one of `kept` (Look::series).
    void paintVeil(const std::set<std::size_t>& kept, const QColor& veil);

private:
    /// Which points of the layers are to be seen.
    std::pair<std::size_t, std::size_t> seenOfLayers() const;
    void paintSpans();
    void paintLayers(StackForm form);
    void paintLayerLabels();
    void paintReferenceLabel(std::size_t reference);
    void paintBars();
    void paintRowTexts();

    const PlotScene& m_scene;
    const FigureInk& m_ink;
    QPainter& m_painter;
};

} // namespace headroom::ui
