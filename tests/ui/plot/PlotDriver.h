// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/plot/FigurePlot.h"

#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>

namespace headroom::ui {

/// Does to a plot what a person does.
class PlotDriver {
public:
    explicit PlotDriver(FigurePlot& plot)
        : m_plot(plot)
    {
    }

    FigureCanvas& canvas() { return m_plot.canvas(); }

    QPointF placeOf(const figures::Mark& mark)
    {
        canvas().replot();
        return {canvas().xAxis->coordToPixel(mark.x), canvas().yAxis->coordToPixel(mark.y)};
    }

    QPoint inPlot(const QPointF& share)
    {
        const figures::Box& plot = canvas().scene().layout.plot;
        return QPointF(plot.x + share.x() * plot.width, plot.y + share.y() * plot.height).toPoint();
    }

    void press(int key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&canvas(), Qt::Key(key), modifiers); }

    void turnWheel(const QPointF& place, Qt::KeyboardModifiers modifiers)
    {
        QWheelEvent event(
            place, canvas().mapToGlobal(place), {}, {0, 120}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas(), &event);
    }

    void dragTo(Qt::MouseButton button, Qt::KeyboardModifiers modifiers, const QPoint& from, const QPoint& to)
    {
        QTest::mousePress(&canvas(), button, modifiers, from);
        moveTo(from + (to - from) / 2, button, modifiers);
        moveTo(to, button, modifiers);
        QTest::mouseRelease(&canvas(), button, modifiers, to);
    }

    void moveTo(const QPoint& place, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
    {
        QMouseEvent event(QEvent::MouseMove, place, canvas().mapToGlobal(place), Qt::NoButton, button, modifiers);
        QApplication::sendEvent(&canvas(), &event);
    }

    void dragBox(Qt::MouseButton button, Qt::KeyboardModifiers modifiers, const QPointF& from, const QPointF& to)
    {
        dragTo(button, modifiers, inPlot(from), inPlot(to));
    }

    void lassoRound(const figures::Mark& mark, Qt::KeyboardModifiers modifiers)
    {
        const QPoint middle = placeOf(mark).toPoint();
        const auto corners = {QPoint(-12, -12), QPoint(12, -12), QPoint(12, 12), QPoint(-12, 12)};
        QTest::mousePress(&canvas(), Qt::LeftButton, modifiers, middle + *corners.begin());
        for (const QPoint& corner : corners)
            moveTo(middle + corner, Qt::LeftButton, modifiers);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, modifiers, middle + *corners.begin());
    }

private:
    FigurePlot& m_plot;
};

} // namespace headroom::ui
