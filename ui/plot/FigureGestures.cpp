// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/FigureGestures.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::ui {
namespace {

constexpr double kWheelStep = 1.25; ///< of one notch
constexpr double kFiner = 0.25;
constexpr double kFaster = 3;
constexpr double kNotch = 120; ///< of QWheelEvent::angleDelta
constexpr double kPanPx = 40; ///< of one notch sideways
constexpr double kLeastDrag = 5; ///< px
constexpr double kGrip = 5; ///< px beside a line that can be dragged

QString tooltip(const figures::Hover& hover)
{
    QString text = QStringLiteral("<b>%1</b>").arg(QString::fromStdString(hover.title).toHtmlEscaped());
    for (const std::string& line : hover.lines)
        text += QStringLiteral("<br>") + QString::fromStdString(line).toHtmlEscaped();
    return text;
}

QString spoken(const figures::Hover& hover)
{
    QString text = QString::fromStdString(hover.title);
    for (const std::string& line : hover.lines)
        text += QStringLiteral(", ") + QString::fromStdString(line);
    return text;
}

} // namespace

FigureGestures::FigureGestures(FigureCanvas& canvas, PlotNavigator& navigator)
    : QObject(&canvas)
    , m_canvas(canvas)
    , m_navigator(navigator)
{
    canvas.setInteraction(QCP::iRangeZoom);
    canvas.installEventFilter(this);
}

void FigureGestures::setDraggable(std::optional<std::size_t> reference, ReferenceWords words)
{
    m_draggable = reference;
    m_words = std::move(words);
    if (m_drag == Drag::Reference)
        cancel();
}

bool FigureGestures::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return press(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
        return move(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
        return release(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonDblClick:
        return doubleClick(*static_cast<QMouseEvent*>(event));
    case QEvent::Wheel:
        return wheel(*static_cast<QWheelEvent*>(event));
    case QEvent::KeyPress:
        return key(*static_cast<QKeyEvent*>(event));
    case QEvent::Leave:
        m_under.reset();
        Q_EMIT hovered({});
        return false;
    default:
        return QObject::eventFilter(watched, event);
    }
}

bool FigureGestures::holds(const QPointF& place) const
{
    const PlotScene& scene = m_canvas.scene();
    return !scene.isEmpty() && scene.layout.plot.holds(figures::Pixel{place.x(), place.y()});
}

FigureGestures::Drag FigureGestures::wanted(const QMouseEvent& event) const
{
    const auto modifiers = event.modifiers();
    if (!holds(event.position()))
        return Drag::Press;
    if (event.button() == Qt::RightButton || modifiers.testFlag(Qt::ShiftModifier))
        return Drag::Pan;
    if (isOnReference(event.position()))
        return Drag::Reference;
    return m_mode == DragMode::Lasso || modifiers.testFlag(Qt::AltModifier) ? Drag::Lasso : Drag::Box;
}

bool FigureGestures::press(const QMouseEvent& event)
{
    if (m_drag != Drag::None || (event.button() != Qt::LeftButton && event.button() != Qt::RightButton))
        return true;
    m_canvas.setFocus(Qt::MouseFocusReason);
    m_from = event.position();
    m_moved = false;
    m_lasso = QPolygonF{m_from};
    m_drag = wanted(event);
    m_navigator.chooseAxes();
    m_canvas.setSelectionRectMode(m_drag == Drag::Box ? QCP::srmZoom : QCP::srmNone);
    m_canvas.setInteraction(QCP::iRangeDrag, m_drag == Drag::Pan);
    return !isLeft();
}

bool FigureGestures::move(const QMouseEvent& event)
{
    if (m_drag == Drag::None) {
        hover(event);
        return true;
    }
    if (!m_moved && (event.position() - m_from).manhattanLength() < kLeastDrag)
        return true;
    m_moved = true;
    QToolTip::hideText();
    drag(event.position());
    return !isLeft();
}

void FigureGestures::drag(const QPointF& place)
{
    if (m_drag == Drag::Lasso) {
        m_lasso << place;
        m_canvas.setBand(m_lasso);
    } else if (m_drag == Drag::Reference) {
        const double value = draggedValue(place);
        m_canvas.setDragged(FigureCanvas::Dragged{*m_draggable, value, m_words ? m_words(value) : QString()});
        Q_EMIT referenceDragged(value);
    }
}

// What was left to QCustomPlot it ends itself.
bool FigureGestures::release(const QMouseEvent& event)
{
    if (m_drag == Drag::None)
        return false;
    const bool isBoxClick = m_drag == Drag::Box && !m_moved;
    const bool left = isLeft() && !isBoxClick;
    const Drag done = std::exchange(m_drag, Drag::None);
    m_canvas.setBand({});
    m_canvas.setDragged(std::nullopt);
    if (isBoxClick)
        m_canvas.setSelectionRectMode(QCP::srmNone); // before anybody hears of the click
    if (m_moved)
        finish(done, event);
    else if (event.button() == Qt::LeftButton)
        click(event);
    return !left;
}

void FigureGestures::finish(Drag done, const QMouseEvent& event)
{
    if (done == Drag::Pan)
        m_canvas.settle();
    else if (done == Drag::Lasso)
        Q_EMIT lassoed(m_canvas.targets().within(m_lasso), event.modifiers());
    else if (done == Drag::Reference)
        Q_EMIT referenceDropped(draggedValue(event.position()));
}

void FigureGestures::click(const QMouseEvent& event)
{
    const auto target = m_canvas.targetAt(event.position());
    m_canvas.setFocused(target);
    Q_EMIT clicked(target ? m_canvas.targets().id(*target) : QString(), event.modifiers());
}

void FigureGestures::cancel()
{
    m_drag = Drag::None;
    m_canvas.setSelectionRectMode(QCP::srmNone);
    m_canvas.setBand({});
    m_canvas.setDragged(std::nullopt);
}

bool FigureGestures::doubleClick(const QMouseEvent& event)
{
    if (event.button() != Qt::LeftButton)
        return false;
    const auto target = m_canvas.targetAt(event.position());
    if (const QString trial = target ? m_canvas.targets().id(*target) : QString(); !trial.isEmpty())
        Q_EMIT activated(trial);
    else
        m_navigator.fit();
    return true;
}

bool FigureGestures::wheel(QWheelEvent& event)
{
    if (!holds(event.position())) {
        event.ignore(); // the page scrolls
        return true;
    }
    m_canvas.setFocus(Qt::MouseFocusReason); // so that keys go on where the wheel began
    const bool faster = event.modifiers().testFlag(Qt::ShiftModifier);
    const QPoint turned = event.angleDelta();
    if (turned.y() == 0 && faster) { // some platforms turn it with Shift
        QWheelEvent upright(event.position(), event.globalPosition(), event.pixelDelta().transposed(),
            turned.transposed(), event.buttons(), event.modifiers(), event.phase(), event.inverted());
        return turned.x() == 0 || QCoreApplication::sendEvent(&m_canvas, &upright);
    }
    if (turned.y() == 0) {
        m_navigator.pan({turned.x() / kNotch * kPanPx, 0});
        return true;
    }
    const double speed = event.modifiers().testFlag(Qt::ControlModifier) ? kFiner : faster ? kFaster : 1;
    m_navigator.chooseAxes();
    m_canvas.axisRect()->setRangeZoomFactor(std::pow(kWheelStep, -speed));
    return false;
}

bool FigureGestures::key(const QKeyEvent& event)
{
    switch (event.key()) {
    case Qt::Key_Left:
        return walk(Way::Left), true;
    case Qt::Key_Right:
        return walk(Way::Right), true;
    case Qt::Key_Up:
        return walk(Way::Up), true;
    case Qt::Key_Down:
        return walk(Way::Down), true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return enter(event.modifiers()), true;
    case Qt::Key_Escape:
        cancel();
        m_canvas.setFocused(std::nullopt);
        QToolTip::hideText();
        return true;
    default:
        return false;
    }
}

void FigureGestures::walk(Way way)
{
    const PlotTargets& targets = m_canvas.targets();
    const auto target = targets.next(m_canvas.focused() ? m_canvas.focused() : m_canvas.selectedTarget(), way);
    if (!target)
        return;
    m_canvas.setFocused(target);
    Q_EMIT hovered(targets.id(*target));
    const figures::Box box = targets.box(*target);
    describe(*target, m_canvas.mapToGlobal(QPointF(box.right(), box.bottom()).toPoint()));
    m_canvas.setAccessibleDescription(spoken(targets.hover(*target)));
}

void FigureGestures::enter(Qt::KeyboardModifiers modifiers)
{
    const auto& target = m_canvas.focused();
    if (!target)
        return walk(Way::Right);
    const QString trial = m_canvas.targets().id(*target);
    if (modifiers.testFlag(Qt::ShiftModifier))
        Q_EMIT activated(trial);
    else
        Q_EMIT clicked(trial, modifiers);
}

void FigureGestures::hover(const QMouseEvent& event)
{
    const auto target = m_canvas.targetAt(event.position());
    const bool grips = !target && isOnReference(event.position());
    m_canvas.setCursor(grips ? Qt::SizeHorCursor : target ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (target == m_under)
        return;
    m_under = target;
    Q_EMIT hovered(target ? m_canvas.targets().id(*target) : QString());
    if (target)
        describe(*target, event.globalPosition().toPoint());
    else
        QToolTip::hideText();
}

void FigureGestures::describe(const Target& target, const QPoint& globalPlace)
{
    QToolTip::showText(globalPlace, tooltip(m_canvas.targets().hover(target)), &m_canvas);
}

std::optional<double> FigureGestures::referencePx() const
{
    const PlotScene& scene = m_canvas.scene();
    if (!m_draggable || *m_draggable >= scene.whole->references.size())
        return std::nullopt;
    const figures::ReferenceLine& line = scene.whole->references[*m_draggable];
    return line.direction == figures::Direction::Vertical ? scene.xOf(line.at) : scene.yOf(line.at);
}

bool FigureGestures::isOnReference(const QPointF& place) const
{
    const auto px = referencePx();
    if (!px || !holds(place))
        return false;
    const bool vertical = m_canvas.scene().whole->references[*m_draggable].direction == figures::Direction::Vertical;
    return std::abs(*px - (vertical ? place.x() : place.y())) <= kGrip;
}

double FigureGestures::draggedValue(const QPointF& place) const
{
    const PlotScene& scene = m_canvas.scene();
    const figures::Box& plot = scene.layout.plot;
    if (!m_draggable || *m_draggable >= scene.whole->references.size())
        return 0;
    const bool vertical = scene.whole->references[*m_draggable].direction == figures::Direction::Vertical;
    return vertical ? scene.xAt(std::clamp(place.x(), plot.x, plot.right()))
                    : scene.yAt(std::clamp(place.y(), plot.y, plot.bottom()));
}

} // namespace headroom::ui
