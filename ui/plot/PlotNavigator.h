// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/FigureWindow.h"
#include "ui/plot/FigureCanvas.h"

#include <cstddef>
#include <vector>

namespace headroom::ui {

/// The windows a plot has been seen through, and where one is among them. There is always one.
class ZoomHistory {
public:
    /// Forgets all but this one.
    void restart(const figures::Window& window);
    /// Behind the current one; what was ahead is forgotten.
    void visit(const figures::Window& window);

    bool canGoBack() const { return m_current > 0; }
    bool canGoForward() const { return m_current + 1 < m_windows.size(); }
    const figures::Window& back();
    const figures::Window& forward();

private:
    std::vector<figures::Window> m_windows{{}};
    std::size_t m_current = 0;
};

/// Along which axes a plot zooms and pans; rows of a category axis never do.
enum class ZoomAxes { Both, X };

/// Moves the axes of a canvas, keeps them within the figure's own whoever moves them, and remembers where they were.
class PlotNavigator : public QObject {
    Q_OBJECT

public:
    explicit PlotNavigator(FigureCanvas& canvas);

    void setAxes(ZoomAxes axes) { m_axes = axes; }
    /// After another figure was set.
    void restart();

    /// Above 1: nearer. What is under `place` stays there.
    void zoom(const QPointF& place, double factor);
    void zoomAtMiddle(double factor);
    /// As if the data were dragged by so many px.
    void pan(const QPointF& px);
    void fit();
    /// Says which axes QCustomPlot may drag and zoom.
    void chooseAxes();
    void back();
    void forward();

    bool canFit() const;
    bool canGoBack() const;
    bool canGoForward() const { return !m_canvas.isMoving() && m_history.canGoForward(); }

Q_SIGNALS:
    /// What can be done has changed.
    void changed();

private:
    void jump(const figures::Window& window);
    bool movesY() const;
    std::vector<QCPAxis*> moved() const;
    void keepWithin();

    FigureCanvas& m_canvas;
    ZoomAxes m_axes = ZoomAxes::Both;
    ZoomHistory m_history;
};

} // namespace headroom::ui
