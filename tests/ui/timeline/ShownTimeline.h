// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Quantities.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/timeline/TracedWorkspace.h"
#include "ui/timeline/TimelineView.h"

#include <QMouseEvent>
#include <QWheelEvent>

namespace headroom::ui {

/// A view of a workspace with traces, and what a user does to it.
struct ShownTimeline {
    TracedWorkspace workspace;
    Theme theme;
    Selection selection;
    TimelineView view{theme, selection};

    ShownTimeline()
    {
        view.resize(1200, 700);
        view.show();
        view.setResults(workspace.results());
    }

    void show(std::size_t trial)
    {
        selection.select({workspace.trial(trial)});
        QTRY_VERIFY(isComplete());
    }

    TimelineStack& stack() { return view.stack(); }
    TimelineNavigator& navigator() { return view.stack().navigator(); }
    TimelineLane& lane(int index = 0) { return *view.stack().lanes().at(index); }
    FigureCanvas& canvas(int index = 0) { return lane(index).canvas(); }
    bool isComplete() { return stack().current() && stack().current()->summary && stack().source().isIdle(); }
    QPoint place(double shareX, double shareY = 0.5)
    {
        const figures::Box& plot = canvas().scene().layout.plot;
        return {static_cast<int>(plot.x + shareX * plot.width), static_cast<int>(plot.y + shareY * plot.height)};
    }

    void wheel(const QPoint& at, int notches, Qt::KeyboardModifiers modifiers = {})
    {
        QWheelEvent event(
            at, canvas().mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&canvas(), &event);
    }

    void drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers, const QPoint& from, const QPoint& to)
    {
        QTest::mousePress(&canvas(), button, modifiers, from);
        for (const QPoint& at : {(from + to) / 2, to}) {
            QMouseEvent event(QEvent::MouseMove, at, canvas().mapToGlobal(at), Qt::NoButton, button, modifiers);
            QCoreApplication::sendEvent(&canvas(), &event);
        }
        QTest::mouseRelease(&canvas(), button, modifiers, to);
    }
};

inline QString sized(Bytes bytes)
{
    const SizeUnit unit = axisUnitFor(bytes);
    return QString::fromStdString(inUnit(bytes, unit) + " " + unit.name);
}

} // namespace headroom::ui
