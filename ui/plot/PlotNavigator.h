// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/plot/FigureCanvas.h"
#include "ui/plot/ZoomHistory.h"

namespace headroom::ui {

/// Along which axes a plot zooms and pans; rows of a category axis never do.
enum class ZoomAxes { Both, X };

/// Moves the window of a canvas, never beyond the figure's own axes, and remembers where it was.
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
    void zoomTo(const QRectF& box);
    /// Shows this, as far as the figure goes; the timeline's range, say.
    void show(const figures::Window& window);
    /// As if the data were dragged by so many px.
    void pan(const QPointF& px);
    void fit();
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
    /// Shares of the axes as they are now, pushed back to where the figure is.
    void setShares(const figures::Stretch& x, const figures::Stretch& y);

    FigureCanvas& m_canvas;
    ZoomAxes m_axes = ZoomAxes::Both;
    ZoomHistory m_history;
};

} // namespace headroom::ui
