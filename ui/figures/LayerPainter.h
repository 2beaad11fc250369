// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"

#include <QImage>
#include <QPainter>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace headroom::ui {

/// Paints the layers of a stack for the screen, column of pixels by column of pixels: each column shows the stack where
/// it is the highest of those that reach into it. What that costs depends on the number of pixels and not on that of
/// values.
class LayerPainter {
public:
    LayerPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter);

    void paint();
    /// Covers every layer but those that look like one of `kept` (Look::series), so that these stand out.
    void paintVeil(const std::set<std::size_t>& kept, const QColor& veil);

private:
    const std::vector<figures::Layer>& layers() const { return m_scene.whole->layers; }
    /// For each column of pixels the value whose stack it shows; none: `end`.
    std::vector<std::size_t> valuesOfColumns(std::size_t begin, std::size_t end) const;
    /// Pixels from the plot's top to each layer's upper edge, the top layer's first, then the axis; column by column.
    std::vector<float> edgesOf(const std::vector<std::size_t>& values, std::size_t end) const;
    /// The textures of what is above the stack and of each layer, the top one first.
    std::vector<QImage> tiles() const;
    void paintColumns(const std::vector<QImage>& tiles);
    static void fill(QImage& image, const std::vector<float>& edges, const std::vector<QImage>& tiles);

    const PlotScene& m_scene;
    const FigureInk& m_ink;
    QPainter& m_painter;
    double m_scale; ///< pixels of the device for each px
};

} // namespace headroom::ui
