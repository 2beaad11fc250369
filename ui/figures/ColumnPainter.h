// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"
#include "ui/figures/PlotScene.h"

#include <QImage>
#include <QPainter>

#include <cstddef>
#include <vector>

namespace headroom::ui {

/// Paints a band and its counter column of pixels by column of pixels, each from the least to the most of what lies in
/// it. Where there are as many values as columns that looks like the outlines do, and costs a small part of them.
class ColumnPainter {
public:
    ColumnPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter);

    /// Whether there are so many values between the axes' ends that columns are as good as outlines.
    static bool suits(const PlotScene& scene, std::size_t seen);

    /// The values [begin, end) of a band; SpreadAndUnder: down to the axis, too; Fade: what is behind it is paler.
    enum class Fill { Spread, SpreadAndUnder, Fade };
    void paintBand(const figures::Band& band, std::size_t begin, std::size_t end, Fill fill);
    void paintLine(const figures::Polyline& line, std::size_t begin, std::size_t end);

private:
    /// From `top` to `bottom`, px of the plot; nothing where the one is not above the other.
    struct Column {
        float top = 0;
        float bottom = -1;
    };

    void add(double from, double to, double top, double bottom);
    void fill(QImage& image, QRgb spread, QRgb under) const;

    const PlotScene& m_scene;
    const FigureInk& m_ink;
    QPainter& m_painter;
    double m_scale; ///< pixels of the device for each px
    std::vector<Column> m_columns; ///< of the device's pixels, from the plot's left edge on
};

} // namespace headroom::ui
