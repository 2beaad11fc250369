// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"
#include "ui/look/Theme.h"
#include "ui/plot/PlotTargets.h"
#include "ui/series/FigureAxes.h"
#include "ui/series/FigureSeries.h"

#include <QTimer>
#include <qcustomplot.h>

#include <optional>

namespace headroom::ui {

/// Plots a figure where figures::layOut puts things: axes and series are QCustomPlot's, what it has no plottables for
/// is painted on layers of its own between them. As long as the window moves only the axes do, so that a frame is
/// cheap; labels are laid out anew when it rests.
class FigureCanvas : public QCustomPlot {
    Q_OBJECT

public:
    /// A layer between the series and their marks, painted whenever the axes move.
    static constexpr const char* kLabels = "labels";

    explicit FigureCanvas(Theme& theme, QWidget* parent = nullptr);

    /// Shows the figure through its own axes, or through the window in use.
    enum class Keep { Nothing, Window };
    void setFigure(FigurePtr figure, Keep keep);
    void setFigure(FigurePtr figure, const figures::Window& window);
    void setTitleLines(figures::TitleLines title);
    /// What there is to fill; the canvas asks for more height where that is too low.
    void setRoom(const figures::Room& room);

    const PlotScene& scene() const { return m_scene; }
    const FigureInk& ink() const { return m_ink; }
    const PlotTargets& targets() const;
    /// The nearest one within reach of a pointer.
    std::optional<Target> targetAt(const QPointF& place) const;

    const figures::Window& window() const { return m_window; }
    bool isMoving() const { return m_settling.isActive(); }
    /// What lies there between the axes' ends; nothing else changes until it rests.
    void setWindow(const figures::Window& window);
    /// The same, where QCustomPlot has moved its axes, which are put to that, and plots by itself.
    void follow(const figures::Window& window);
    /// Lays the window out now, not when it has rested for a while.
    void settle();

    void setSelected(const QStringList& trials);
    void setHovered(const QString& trial);
    void setFocused(std::optional<Target> target);
    const std::optional<Target>& focused() const { return m_focused; }
    /// Where the trial that was selected last is seen: where the keyboard begins.
    std::optional<Target> selectedTarget() const;
    /// A range or a lasso that is being drawn; empty for none.
    void setBand(const QPolygonF& band);
    /// A line of the figure that is being dragged, and where it is.
    struct Dragged {
        std::size_t reference = 0;
        double at = 0;
        QString text;
    };
    void setDragged(std::optional<Dragged> dragged);

Q_SIGNALS:
    void windowChanged(const headroom::figures::Window& window);
    /// The window rests and is laid out.
    void settled(const headroom::figures::Window& window);
    /// Figure, room or title are others: what stands beside a mark has to move.
    void laidOut();

protected:
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    /// Only with what QCustomPlot shall do: drag the axes with any button, or draw a box to zoom to.
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void processRectZoom(QRect rect, QMouseEvent* event) override;

private:
    void addLayers();
    void addPainted(const char* layer, void (FigureCanvas::*paint)(QPainter&));
    void layOut();
    void placeAxes();
    /// Of a box or a lasso.
    QBrush bandBrush() const;
    void takeColours();
    void replotOverlay();
    void paintFrame(QPainter& painter);
    void paintGround(QPainter& painter);
    void paintRows(QPainter& painter);
    void paintLabels(QPainter& painter);
    void paintOverlay(QPainter& painter);
    void paintHighlights(QPainter& painter);
    void paintDragged(QPainter& painter);

    Theme& m_theme;
    FigureInk m_ink;
    FigureAxes m_axes;
    FigureSeries m_series;
    PlotScene m_scene;
    figures::Window m_window;
    figures::Room m_room{720, 480};
    figures::TitleLines m_title = figures::TitleLines::Shown;
    mutable std::optional<PlotTargets> m_targets; ///< made when asked for
    std::optional<TrialIndex> m_trials;
    QTimer m_settling;
    QStringList m_selected;
    QString m_hovered;
    std::optional<Target> m_focused;
    QPolygonF m_band;
    std::optional<Dragged> m_dragged;
};

} // namespace headroom::ui
