// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/FigureCanvas.h"

#include "experiments/figures/layout/FigureLayout.h"
#include "ui/figures/DataPainter.h"
#include "ui/figures/FramePainter.h"
#include "ui/plot/PlotLayer.h"

#include <QFocusEvent>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr std::chrono::milliseconds kRest{120};

bool overlap(const figures::Stretch& a, const figures::Stretch& b)
{
    return a.low < b.high && b.low < a.high;
}

bool overlap(const figures::Window& a, const figures::Window& b)
{
    return overlap(a.x, b.x) && overlap(a.y, b.y);
}

} // namespace

FigureCanvas::FigureCanvas(Theme& theme, QWidget* parent)
    : QCustomPlot(parent)
    , m_theme(theme)
    , m_ink(theme.palette())
{
    setObjectName(QStringLiteral("figureCanvas"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumWidth(static_cast<int>(figures::kSmallestWidth));
    axisRect()->setAutoMargins(QCP::msNone);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLabels(false);
        axis->setTicks(false);
        axis->setLayer(QStringLiteral("grid"));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->setTicker(QSharedPointer<QCPAxisTickerText>::create());
    }
    new PlotLayer(*this, QStringLiteral("background"), [this](QPainter& painter) { paintGround(painter); });
    new PlotLayer(*this, QStringLiteral("main"), [this](QPainter& painter) { paintData(painter); });
    new PlotLayer(*this, QStringLiteral("overlay"), [this](QPainter& painter) { paintOverlay(painter); });
    m_settling.setSingleShot(true);
    m_settling.setInterval(kRest);
    connect(&m_settling, &QTimer::timeout, this, &FigureCanvas::settle);
    connect(&theme, &Theme::changed, this, &FigureCanvas::takeColours);
    setFigure(std::make_shared<figures::Figure>(), Keep::Nothing);
    takeColours();
}

void FigureCanvas::setFigure(FigurePtr figure, Keep keep)
{
    const figures::Window whole = figures::windowOf(*figure);
    const bool seesAll = m_scene.whole == nullptr || m_window == figures::windowOf(*m_scene.whole);
    const bool showsWhole = keep == Keep::Nothing || seesAll || !overlap(m_window, whole);
    setFigure(std::move(figure), showsWhole ? whole : figures::Window(m_window));
}

void FigureCanvas::setFigure(FigurePtr figure, const figures::Window& window)
{
    m_trials.reset();
    m_scene.whole = std::move(figure);
    m_trials.emplace(*m_scene.whole);
    m_window = window;
    m_focused.reset();
    m_dragged.reset();
    layOut();
}

void FigureCanvas::setTitleLines(figures::TitleLines title)
{
    m_title = title;
    layOut();
}

void FigureCanvas::setRoom(const figures::Room& room)
{
    if (room.width == m_room.width && room.height == m_room.height)
        return;
    m_room = room;
    layOut();
}

const PlotTargets& FigureCanvas::targets() const
{
    if (!m_targets)
        m_targets.emplace(m_scene);
    return *m_targets;
}

void FigureCanvas::setWindow(const figures::Window& window)
{
    if (window == m_window || m_scene.isEmpty())
        return;
    m_window = window;
    m_scene.x = figures::windowed(m_scene.whole->x, window.x);
    m_scene.y = figures::windowed(m_scene.whole->y, window.y);
    figures::layOutTicks(m_scene.x, m_scene.y, m_scene.layout);
    m_targets.reset();
    placeAxes();
    m_settling.start();
    replot(rpQueuedReplot);
    Q_EMIT windowChanged(m_window);
}

void FigureCanvas::settle()
{
    m_settling.stop();
    layOut();
    Q_EMIT settled(m_window);
}

void FigureCanvas::layOut()
{
    m_settling.stop();
    m_targets.reset();
    const bool isWhole = m_window == figures::windowOf(*m_scene.whole);
    m_scene.shown =
        isWhole ? m_scene.whole : std::make_shared<const figures::Figure>(figures::windowed(*m_scene.whole, m_window));
    m_scene.x = m_scene.shown->x;
    m_scene.y = m_scene.shown->y;
    m_scene.layout = figures::layOut(*m_scene.shown, m_room, m_title);
    setMinimumHeight(static_cast<int>(std::ceil(m_scene.layout.height)));
    placeAxes();
    replot(rpQueuedReplot);
}

// QCustomPlot's rectangles are whole px, and the last px of one is inside it.
void FigureCanvas::placeAxes()
{
    const figures::Box& plot = m_scene.layout.plot;
    const QRect rect(QPoint(static_cast<int>(std::lround(plot.x)), static_cast<int>(std::lround(plot.y)) + 1),
        QSize(static_cast<int>(std::lround(plot.width)), static_cast<int>(std::lround(plot.height))));
    const QRect all = viewport();
    axisRect()->setMargins(QMargins(rect.left(), rect.top(), all.right() - rect.right(), all.bottom() - rect.bottom()));
    axisRect()->setVisible(!m_scene.isEmpty());
    placeAxis(*xAxis, m_scene.x, m_scene.layout.xTicks);
    placeAxis(*yAxis, m_scene.y, m_scene.layout.yTicks);
    const bool category = m_scene.y.scale == figures::Scale::Category;
    yAxis->setRangeReversed(category);
    yAxis->grid()->setPen(category ? QPen(Qt::NoPen) : QPen(m_ink.grid(), 1));
    const bool hasLine = !category || m_scene.layout.width >= figures::kNarrowWidth;
    yAxis->setBasePen(hasLine ? QPen(m_ink.muted(), 1) : QPen(Qt::NoPen));
}

void FigureCanvas::placeAxis(QCPAxis& axis, const figures::Axis& shown, const std::vector<figures::PlacedTick>& ticks)
{
    axis.setScaleType(shown.scale == figures::Scale::Logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setRange(shown.low, shown.high);
    auto ticker = axis.ticker().staticCast<QCPAxisTickerText>();
    ticker->clear();
    for (const figures::PlacedTick& tick : ticks)
        ticker->addTick(
            std::clamp(valueAt(axis, tick.at), shown.low, shown.high), QString::fromStdString(tick.text.text));
}

double FigureCanvas::valueAt(const QCPAxis& axis, double px) const
{
    return &axis == xAxis ? m_scene.xAt(px) : m_scene.yAt(px);
}

void FigureCanvas::takeColours()
{
    m_ink = FigureInk(m_theme.palette());
    m_pictures.forget();
    setBackground(m_ink.surface());
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setBasePen(QPen(m_ink.muted(), 1));
        axis->grid()->setPen(QPen(m_ink.grid(), 1));
    }
    placeAxes();
    replot(rpQueuedReplot);
}

void FigureCanvas::setSelected(const QStringList& trials)
{
    m_selected = trials;
    replotOverlay();
}

void FigureCanvas::setHovered(const QString& trial)
{
    if (trial == m_hovered)
        return;
    m_hovered = trial;
    replotOverlay();
}

void FigureCanvas::setFocused(std::optional<Target> target)
{
    m_focused = target;
    replotOverlay();
}

void FigureCanvas::setBand(const QPolygonF& band)
{
    m_band = band;
    replotOverlay();
}

void FigureCanvas::setDragged(std::optional<Dragged> dragged)
{
    m_dragged = std::move(dragged);
    replotOverlay();
}

void FigureCanvas::focusInEvent(QFocusEvent* event)
{
    QCustomPlot::focusInEvent(event);
    replotOverlay();
}

void FigureCanvas::focusOutEvent(QFocusEvent* event)
{
    QCustomPlot::focusOutEvent(event);
    replotOverlay();
}

void FigureCanvas::resizeEvent(QResizeEvent* event)
{
    QCustomPlot::resizeEvent(event);
    placeAxes();
}

void FigureCanvas::replotOverlay()
{
    layer(QStringLiteral("overlay"))->replot();
}

void FigureCanvas::paintGround(QPainter& painter)
{
    FramePainter frame(m_scene, m_ink, painter);
    frame.paintWords();
    frame.paintStrip();
}

void FigureCanvas::paintData(QPainter& painter)
{
    if (!m_scene.isEmpty())
        DataPainter(m_scene, m_ink, painter, &m_pictures).paint();
}

void FigureCanvas::paintOverlay(QPainter& painter)
{
    paintHighlights(painter);
    paintDragged(painter);
    if (m_band.isEmpty())
        return;
    QColor fill = m_theme.accent();
    fill.setAlphaF(0.12F);
    painter.setBrush(fill);
    painter.setPen(QPen(m_theme.accent(), 1));
    painter.drawPolygon(m_band);
}

// Selected: a thick ring of the accent; hovered: a thin one of ink; the keyboard's: a wider one.
void FigureCanvas::paintHighlights(QPainter& painter)
{
    painter.setBrush(Qt::NoBrush);
    const auto ring = [&](const Target& target, const QPen& pen, double gap) {
        const QRectF box = rectF(targets().box(target).grown(gap));
        const double corner = target.kind == TargetKind::Mark ? box.width() / 2 : 3;
        painter.setPen(pen);
        painter.drawRoundedRect(box, corner, corner);
    };
    const auto rings = [&](const QString& trial, const QPen& pen, double gap) {
        for (const Target& target : m_trials->of(trial))
            if (targets().isSeen(target))
                ring(target, pen, gap);
    };
    for (const QString& trial : m_selected)
        rings(trial, QPen(m_theme.accent(), 2.5), 0);
    const bool focusShown = m_focused && hasFocus();
    if (!m_hovered.isEmpty() && !(focusShown && targets().id(*m_focused) == m_hovered))
        rings(m_hovered, QPen(m_ink.ink(), 1.5), 2);
    if (focusShown)
        ring(*m_focused, QPen(m_ink.ink(), 2), 3);
}

void FigureCanvas::paintDragged(QPainter& painter)
{
    if (!m_dragged || m_dragged->reference >= m_scene.whole->references.size())
        return;
    const figures::Box& plot = m_scene.layout.plot;
    const bool vertical = m_scene.whole->references[m_dragged->reference].direction == figures::Direction::Vertical;
    const double at = vertical ? m_scene.xOf(m_dragged->at) : m_scene.yOf(m_dragged->at);
    painter.setPen(QPen(m_ink.limit(), 2));
    painter.drawLine(vertical ? QLineF(at, plot.y, at, plot.bottom()) : QLineF(plot.x, at, plot.right(), at));
    figures::PlacedText text{m_dragged->text.toStdString(), vertical ? at + 6 : plot.right() - 2,
        vertical ? plot.y + 14 : at - 5, vertical ? figures::TextAnchor::Start : figures::TextAnchor::End};
    if (vertical && text.box().right() > plot.right()) {
        text.x = at - 6;
        text.anchor = figures::TextAnchor::End;
    }
    m_ink.writeGrounded(painter, text, m_ink.limit(), Words::Strong);
}

} // namespace headroom::ui
