// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/TimelineLane.h"
#include "ui/timeline/TimelineNavigator.h"

#include <QObject>

namespace headroom::ui {

/// What the pointer, the wheel and the arrow keys do in a lane. Wheel: zoom at the pointer (Ctrl finer, Shift faster);
/// horizontal wheel: pan. Left or middle drag: zoom to a range. Right or Shift drag: pan. Ctrl drag: measure a range.
/// Double click: fit. Pointer and arrow keys move the cursor (Shift: ten times as far); Escape removes the cursor and
/// the range.
class TimelineGestures : public QObject {
    Q_OBJECT

public:
    TimelineGestures(TimelineLane& lane, TimelineNavigator& navigator);

Q_SIGNALS:
    /// In the lanes' common time.
    void cursorMoved(qint64 timeNs);
    void cursorStepped(int px);
    void rangeChanged(const headroom::figures::TimeWindow& range);
    void cleared();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Drag { None, Zoom, Pan, Range };

    bool press(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    bool release(const QMouseEvent& event);
    bool wheel(const QWheelEvent& event);
    bool key(const QKeyEvent& event);
    void drag(const QPointF& place);
    bool holds(const QPointF& place) const;
    figures::TimeWindow dragged(double px) const;
    std::int64_t timeOf(double px) const;

    TimelineLane& m_lane;
    TimelineNavigator& m_navigator;
    Drag m_drag = Drag::None;
    bool m_moved = false;
    std::int64_t m_fromNs = 0;
    QPointF m_from;
    QPointF m_last;
};

} // namespace headroom::ui
