// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/FigureCanvas.h"

#include "experiments/figures/drawing/FigureDrawing.h"
#include "experiments/figures/layout/FigureLayout.h"
#include "ui/figures/LayerPainter.h"
#include "ui/figures/PainterCanvas.h"
#include "ui/look/DrawingRole.h"
#include "ui/plot/PlotLayer.h"

#include <QFocusEvent>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr std::chrono::milliseconds kRest{120};
constexpr int kLeastBox = 5; ///< px; a smaller one is not zoomed to

// Layers of what is painted, besides kLabels, from the back to the front among QCustomPlot's own. Series are on "main"
// and on FigureSeries::kMarks.
constexpr const char* kGround = "ground";
constexpr const char* kRows = "rows";

bool overlap(const figures::Stretch& a, const figures::Stretch& b)
{
    return a.low < b.high && b.low < a.high;
}

bool overlap(const figures::Window& a, const figures::Window& b)
{
    return overlap(a.x, b.x) && overlap(a.y, b.y);
}

// Axes, lines and marks are QCustomPlot's.
void drawPart(const PlotScene& scene, const FigureInk& ink, QPainter& painter, void (figures::FigureDrawing::*part)())
{
    PainterCanvas canvas(ink, painter);
    (figures::FigureDrawing(scene, canvas, figures::FigureDrawing::Share::BesidePlot).*part)();
}

} // namespace

FigureCanvas::FigureCanvas(Theme& theme, QWidget* parent)
    : QCustomPlot(parent)
    , m_theme(theme)
    , m_ink(theme.palette())
    , m_axes(*this)
    , m_series(*this)
{
    setObjectName(QStringLiteral("figureCanvas"));
    speakAsDrawing(staticMetaObject);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumWidth(static_cast<int>(figures::kSmallestWidth));
    addLayers();
    m_settling.setSingleShot(true);
    m_settling.setInterval(kRest);
    connect(&m_settling, &QTimer::timeout, this, &FigureCanvas::settle);
    connect(&theme, &Theme::changed, this, &FigureCanvas::takeColours);
    setFigure(std::make_shared<figures::Figure>(), Keep::Nothing);
    takeColours();
}

void FigureCanvas::addLayers()
{
    addLayer(QLatin1String(kGround), layer(QStringLiteral("main")), limBelow);
    addLayer(QLatin1String(kLabels), layer(QStringLiteral("main")), limAbove);
    addLayer(QLatin1String(FigureSeries::kMarks), layer(QStringLiteral("main")), limAbove);
    addLayer(QLatin1String(kRows), layer(QStringLiteral("main")), limAbove);
    addPainted("background", &FigureCanvas::paintFrame);
    addPainted(kGround, &FigureCanvas::paintGround);
    addPainted(kRows, &FigureCanvas::paintRows);
    addPainted(kLabels, &FigureCanvas::paintLabels);
    addPainted("overlay", &FigureCanvas::paintOverlay);
}

void FigureCanvas::addPainted(const char* layer, void (FigureCanvas::*paint)(QPainter&))
{
    new PlotLayer(*this, QLatin1String(layer), [this, paint](QPainter& painter) { (this->*paint)(painter); });
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
    m_series.plot(*m_scene.whole, m_ink);
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

std::optional<Target> FigureCanvas::targetAt(const QPointF& place) const
{
    if (const auto mark = m_series.markAt(place))
        return Target{TargetKind::Mark, *mark};
    return targets().boxAt(place);
}

void FigureCanvas::setWindow(const figures::Window& window)
{
    if (window == m_window || m_scene.isEmpty())
        return;
    follow(window);
    replot(rpQueuedReplot);
}

// The axes are put back where they went beyond the window, even if that is the same one.
void FigureCanvas::follow(const figures::Window& window)
{
    if (window == m_window)
        return placeAxes();
    m_window = window;
    m_scene.x = figures::windowed(m_scene.whole->x, window.x);
    m_scene.y = figures::windowed(m_scene.whole->y, window.y);
    figures::layOutTicks(m_scene.x, m_scene.y, m_scene.layout);
    placeAxes();
    m_targets.reset();
    m_settling.start();
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
    m_axes.placeRectangle(m_scene.layout.plot);
    placeAxes();
    replot(rpQueuedReplot);
    Q_EMIT laidOut();
}

void FigureCanvas::placeAxes()
{
    m_axes.place(m_scene, m_ink);
}

QBrush FigureCanvas::bandBrush() const
{
    QColor fill = m_theme.accent();
    fill.setAlphaF(0.12F);
    return fill;
}

void FigureCanvas::takeColours()
{
    m_ink = FigureInk(m_theme.palette());
    m_series.plot(*m_scene.whole, m_ink);
    setBackground(m_ink.surface());
    selectionRect()->setPen(QPen(m_theme.accent(), 1));
    selectionRect()->setBrush(bandBrush());
    m_axes.setInk(m_ink);
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

std::optional<Target> FigureCanvas::selectedTarget() const
{
    if (m_selected.isEmpty())
        return std::nullopt;
    for (const Target& target : m_trials->of(m_selected.last()))
        if (targets().isSeen(target))
            return target;
    return std::nullopt;
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
    m_axes.placeRectangle(m_scene.layout.plot);
}

void FigureCanvas::mousePressEvent(QMouseEvent* event)
{
    QMouseEvent left(
        event->type(), event->position(), event->globalPosition(), Qt::LeftButton, Qt::LeftButton, event->modifiers());
    QCustomPlot::mousePressEvent(&left);
}

// A box ends at the edge of the plot.
void FigureCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (selectionRectMode() != QCP::srmZoom)
        return QCustomPlot::mouseMoveEvent(event);
    const QRectF plot = axisRect()->rect();
    const QPointF place(std::clamp(event->position().x(), plot.left(), plot.right()),
        std::clamp(event->position().y(), plot.top(), plot.bottom()));
    QMouseEvent inside(
        event->type(), place, event->globalPosition(), event->button(), event->buttons(), event->modifiers());
    QCustomPlot::mouseMoveEvent(&inside);
}

void FigureCanvas::processRectZoom(QRect rect, QMouseEvent* event)
{
    const QRect box = rect.normalized() & axisRect()->rect();
    if (box.width() < kLeastBox || box.height() < kLeastBox)
        return replotOverlay();
    QCustomPlot::processRectZoom(box, event);
    settle();
}

void FigureCanvas::replotOverlay()
{
    layer(QStringLiteral("overlay"))->replot();
}

void FigureCanvas::paintFrame(QPainter& painter)
{
    drawPart(m_scene, m_ink, painter, &figures::FigureDrawing::drawFrame);
    drawPart(m_scene, m_ink, painter, &figures::FigureDrawing::drawStrip);
}

void FigureCanvas::paintGround(QPainter& painter)
{
    if (m_scene.isEmpty())
        return;
    drawPart(m_scene, m_ink, painter, &figures::FigureDrawing::drawGround);
    LayerPainter(m_scene, m_ink, painter).paint();
}

void FigureCanvas::paintRows(QPainter& painter)
{
    if (!m_scene.isEmpty())
        drawPart(m_scene, m_ink, painter, &figures::FigureDrawing::drawRows);
}

void FigureCanvas::paintLabels(QPainter& painter)
{
    if (!m_scene.isEmpty())
        drawPart(m_scene, m_ink, painter, &figures::FigureDrawing::drawLabels);
}

void FigureCanvas::paintOverlay(QPainter& painter)
{
    paintHighlights(painter);
    paintDragged(painter);
    if (m_band.isEmpty())
        return;
    painter.setBrush(bandBrush());
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
