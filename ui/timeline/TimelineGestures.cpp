// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineGestures.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr double kNotch = 120; ///< QWheelEvent::angleDelta of one notch
constexpr double kWheelStep = 1.25;
constexpr double kFiner = 0.25;
constexpr double kFaster = 3;
constexpr double kPanPx = 40; ///< per notch of the horizontal wheel
constexpr double kLeastDrag = 4; ///< px
constexpr int kFarStep = 10; ///< px

} // namespace

TimelineGestures::TimelineGestures(TimelineLane& lane, TimelineNavigator& navigator)
    : QObject(&lane)
    , m_lane(lane)
    , m_navigator(navigator)
{
    lane.canvas().installEventFilter(this);
}

// Other events are left to the plot, such as tooltips and stepping from phase to phase.
bool TimelineGestures::eventFilter(QObject*, QEvent* event)
{
    if (!m_lane.hasData())
        return false;
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return press(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
        return move(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
        return release(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonDblClick:
        m_navigator.fit();
        return true;
    case QEvent::Wheel:
        return wheel(*static_cast<QWheelEvent*>(event));
    case QEvent::KeyPress:
        return key(*static_cast<QKeyEvent*>(event));
    default:
        return false;
    }
}

bool TimelineGestures::holds(const QPointF& place) const
{
    return m_lane.canvas().scene().layout.plot.holds(figures::Pixel{place.x(), place.y()});
}

std::int64_t TimelineGestures::timeOf(double px) const
{
    const figures::Box& plot = m_lane.canvas().scene().layout.plot;
    return m_lane.timeAt(std::clamp(px, plot.x, plot.right()));
}

bool TimelineGestures::press(const QMouseEvent& event)
{
    m_lane.canvas().setFocus(Qt::MouseFocusReason);
    if (m_drag != Drag::None || !holds(event.position()))
        return true;
    const auto modifiers = event.modifiers();
    if (event.button() == Qt::RightButton || modifiers.testFlag(Qt::ShiftModifier))
        m_drag = Drag::Pan;
    else
        m_drag = modifiers.testFlag(Qt::ControlModifier) ? Drag::Range : Drag::Zoom;
    m_moved = false;
    m_from = m_last = event.position();
    m_fromNs = timeOf(m_from.x());
    return true;
}

bool TimelineGestures::move(const QMouseEvent& event)
{
    if (holds(event.position()))
        Q_EMIT cursorMoved(timeOf(event.position().x()));
    if (m_drag == Drag::None)
        return false;
    m_moved = m_moved || std::abs(event.position().x() - m_from.x()) >= kLeastDrag;
    if (m_moved)
        drag(event.position());
    return true;
}

void TimelineGestures::drag(const QPointF& place)
{
    QToolTip::hideText();
    const figures::Box& plot = m_lane.canvas().scene().layout.plot;
    if (m_drag == Drag::Pan)
        m_navigator.pan(m_lane.timeAt(m_last.x()) - m_lane.timeAt(place.x()));
    else if (m_drag == Drag::Range)
        Q_EMIT rangeChanged(dragged(place.x()));
    else
        m_lane.canvas().setBand(QPolygonF(
            QRectF(QPointF(m_from.x(), plot.y), QPointF(place.x(), plot.bottom())).normalized() & rectF(plot)));
    m_last = place;
}

figures::TimeWindow TimelineGestures::dragged(double px) const
{
    const std::int64_t to = timeOf(px);
    return {std::min(m_fromNs, to), std::max(m_fromNs, to) + 1};
}

bool TimelineGestures::release(const QMouseEvent& event)
{
    const Drag done = std::exchange(m_drag, Drag::None);
    m_lane.canvas().setBand({});
    if (done == Drag::Zoom && m_moved)
        m_navigator.show(dragged(event.position().x()));
    return true;
}

bool TimelineGestures::wheel(const QWheelEvent& event)
{
    if (!holds(event.position()))
        return false; // leaves it to the page, which scrolls
    const bool faster = event.modifiers().testFlag(Qt::ShiftModifier);
    const QPointF notches = QPointF(event.angleDelta()) / kNotch;
    const double turns = notches.y() != 0 || !faster ? notches.y() : notches.x(); // Shift may swap them
    if (turns == 0) {
        m_navigator.pan(m_lane.timeAt(-notches.x() * kPanPx) - m_lane.timeAt(0));
        return true;
    }
    const double speed = event.modifiers().testFlag(Qt::ControlModifier) ? kFiner : faster ? kFaster : 1;
    m_navigator.zoom(timeOf(event.position().x()), std::pow(kWheelStep, turns * speed));
    return true;
}

bool TimelineGestures::key(const QKeyEvent& event)
{
    const int far = event.modifiers().testFlag(Qt::ShiftModifier) ? kFarStep : 1;
    switch (event.key()) {
    case Qt::Key_Left:
        Q_EMIT cursorStepped(-far);
        return true;
    case Qt::Key_Right:
        Q_EMIT cursorStepped(far);
        return true;
    case Qt::Key_Escape:
        m_drag = Drag::None;
        m_lane.canvas().setBand({});
        Q_EMIT cleared();
        return true;
    default:
        return false;
    }
}

} // namespace headroom::ui
