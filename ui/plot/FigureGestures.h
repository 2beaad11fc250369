// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/plot/PlotNavigator.h"

#include <functional>

namespace headroom::ui {

/// What a drag with the left button does.
enum class DragMode { Zoom, Lasso };

/// What pointer, wheel and keys do to a canvas. Zooming with the wheel and to a box, and panning, are left to
/// QCustomPlot once it is said which of them a gesture means.
///
/// Wheel: zoom at the pointer (Ctrl finer, Shift faster). Left drag: zoom to a box, or a lasso in its mode and with
/// Alt. Right or Shift drag: pan. Click, Ctrl-click, double click on a mark; double click elsewhere: fit. Arrow keys
/// walk from mark to mark, Enter clicks, Shift+Enter is a double click, Escape leaves.
class FigureGestures : public QObject {
    Q_OBJECT

public:
    FigureGestures(FigureCanvas& canvas, PlotNavigator& navigator);

    void setDragMode(DragMode mode) { m_mode = mode; }
    /// A reference line of the figure that can be dragged; `words` says what it means at a value. None to end that.
    using ReferenceWords = std::function<QString(double)>;
    void setDraggable(std::optional<std::size_t> reference, ReferenceWords words = {});

Q_SIGNALS:
    void hovered(const QString& trial); ///< empty: nothing
    void clicked(const QString& trial, Qt::KeyboardModifiers modifiers); ///< empty: beside everything
    void activated(const QString& trial);
    void lassoed(const QStringList& trials, Qt::KeyboardModifiers modifiers);
    void referenceDragged(double value); ///< it is on its way
    void referenceDropped(double value);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Drag { None, Press, Box, Lasso, Pan, Reference }; ///< Press: nothing comes of it but a click

    bool press(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    bool release(const QMouseEvent& event);
    bool doubleClick(const QMouseEvent& event);
    bool wheel(QWheelEvent& event);
    bool key(const QKeyEvent& event);
    bool holds(const QPointF& place) const;
    Drag wanted(const QMouseEvent& event) const;
    /// QCustomPlot does it.
    bool isLeft() const { return m_drag == Drag::Box || m_drag == Drag::Pan; }
    void drag(const QPointF& place);
    void finish(Drag done, const QMouseEvent& event);
    void click(const QMouseEvent& event);
    void cancel();
    void hover(const QMouseEvent& event);
    void walk(Way way);
    void enter(Qt::KeyboardModifiers modifiers);
    void describe(const Target& target, const QPoint& globalPlace);
    std::optional<double> referencePx() const;
    bool isOnReference(const QPointF& place) const;
    double draggedValue(const QPointF& place) const;

    FigureCanvas& m_canvas;
    PlotNavigator& m_navigator;
    DragMode m_mode = DragMode::Zoom;
    std::optional<std::size_t> m_draggable;
    ReferenceWords m_words;
    Drag m_drag = Drag::None;
    bool m_moved = false; ///< far enough to be no click
    QPointF m_from;
    QPolygonF m_lasso;
    std::optional<Target> m_under;
};

} // namespace headroom::ui
