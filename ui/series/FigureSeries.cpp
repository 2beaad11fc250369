// SPDX-License-Identifier: Apache-2.0
#include "ui/series/FigureSeries.h"

#include "experiments/figures/drawing/ShapeDrawing.h"
#include "ui/figures/PainterCanvas.h"
#include "ui/series/MarkGraph.h"
#include "ui/series/SeriesGraph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace headroom::ui {
namespace {

using figures::Figure;
using figures::Mark;

constexpr std::size_t kMany = 300; ///< marks of a figure: those of more are copies of pictures
constexpr qsizetype kFew = 10; ///< of one look, which are shapes all the same
constexpr double kReach = 10; ///< px that a pointer may be off the middle of a mark
constexpr double kWhisker = 6; ///< px
constexpr double kScatterSize = 6; ///< at which QCustomPlot draws paths as they are

/// What marks are drawn in the same way, in the order in which they are: those that want no label lie behind.
using MarkKind = std::tuple<bool, std::size_t, figures::Shape, figures::Provenance>;

MarkKind kindOf(const Mark& mark)
{
    return {mark.wish != figures::LabelWish::None, mark.look.series % figures::kSeriesColours, mark.look.shape,
        mark.look.provenance};
}

using GraphData = QSharedPointer<QCPGraphDataContainer>;

/// Of points in ascending order; `placeOf` says where one is.
template <typename Points, typename PlaceOf> GraphData dataOf(const Points& points, const PlaceOf& placeOf)
{
    QVector<QCPGraphData> data;
    data.reserve(static_cast<qsizetype>(points.size()));
    for (const auto& point : points)
        data.append(placeOf(point));
    auto container = GraphData::create();
    container->set(data, true);
    return container;
}

/// Down to another graph, or to zero.
void addFill(const QCustomPlot& plot, const GraphData& most, const QColor& colour, SeriesGraph* edge)
{
    auto* graph = new SeriesGraph(plot.xAxis, plot.yAxis);
    graph->setLineStyle(QCPGraph::lsStepLeft);
    graph->setPen(Qt::NoPen);
    graph->setBrush(colour);
    graph->setChannelFillGraph(edge);
    graph->setData(most);
}

} // namespace

FigureSeries::FigureSeries(QCustomPlot& plot)
    : m_plot(plot)
{
    plot.setAutoAddPlottableToLegend(false);
    plot.setSelectionTolerance(1); // wheel and pan beside an axis are the plot's, not the axis's alone
}

void FigureSeries::plot(const Figure& figure, const FigureInk& ink)
{
    m_plot.clearPlottables();
    m_plot.clearItems();
    if (!figure.emptyText.empty())
        return;
    m_plot.setCurrentLayer(QStringLiteral("main"));
    for (const figures::Band& band : figure.bands)
        addBand(band, ink);
    for (const figures::Polyline& line : figure.lines)
        addLine(line, ink);
    for (const figures::ReferenceLine& line : figure.references)
        addReference(line, ink);
    m_plot.setCurrentLayer(QLatin1String(kMarks));
    addMarks(figure, ink);
    addRings(figure, ink);
}

void FigureSeries::addBand(const figures::Band& band, const FigureInk& ink)
{
    const auto most = dataOf(band.points, [](const auto& point) { return QCPGraphData(point.x, point.high); });
    if (band.below == figures::Band::Below::Shade)
        addFill(m_plot, most, ink.under(band.look.series), nullptr);
    if (band.spread == figures::Band::Spread::None)
        return;
    auto* least = new SeriesGraph(m_plot.xAxis, m_plot.yAxis);
    least->setVisible(false);
    least->setLineStyle(QCPGraph::lsStepLeft);
    least->setData(dataOf(band.points, [](const auto& point) { return QCPGraphData(point.x, point.low); }));
    const bool fades = band.spread == figures::Band::Spread::Fade;
    addFill(m_plot, most, fades ? ink.fade() : ink.spread(band.look.series), least);
}

// A counter never goes back; a front may.
void FigureSeries::addLine(const figures::Polyline& line, const FigureInk& ink)
{
    if (line.role == figures::LineRole::Counter) {
        auto* graph = new SeriesGraph(m_plot.xAxis, m_plot.yAxis);
        graph->setPen(ink.linePen(line));
        graph->setData(dataOf(line.points, [](const auto& point) { return QCPGraphData(point.x, point.y); }));
        return;
    }
    auto* curve = new QCPCurve(m_plot.xAxis, m_plot.yAxis);
    curve->setSelectable(QCP::stNone);
    curve->setPen(ink.linePen(line));
    for (const figures::Point& point : line.points)
        curve->addData(point.x, point.y);
}

// From one side of the plot to the other.
void FigureSeries::addReference(const figures::ReferenceLine& line, const FigureInk& ink)
{
    auto* item = new QCPItemStraightLine(&m_plot);
    item->setSelectable(false);
    item->setPen(ink.limitPen());
    const bool vertical = line.direction == figures::Direction::Vertical;
    for (QCPItemPosition* end : {item->point1, item->point2}) {
        const double side = end == item->point1 ? 0 : 1;
        (vertical ? end->setTypeY(QCPItemPosition::ptAxisRectRatio) : end->setTypeX(QCPItemPosition::ptAxisRectRatio));
        end->setCoords(vertical ? line.at : side, vertical ? side : line.at);
    }
}

void FigureSeries::addMarks(const Figure& figure, const FigureInk& ink)
{
    std::map<MarkKind, std::vector<std::size_t>> kinds;
    for (std::size_t i = 0; i < figure.marks.size(); ++i)
        kinds[kindOf(figure.marks[i])].push_back(i);
    for (auto& [kind, marks] : kinds) {
        const Mark& first = figure.marks[marks.front()];
        const ShapeInk shape = shapeInk(ink, first.look, outlineOf(first, figure));
        MarkGraph* graph = addPoints(figure, std::move(marks));
        graph->setScatterStyle(QCPScatterStyle(
            shapePath(first.look.shape, PlotScene::radiusOf(first)), shape.pen, shape.brush, kScatterSize));
        graph->setSelectable(QCP::stSingleData);
        addErrors(figure, *graph, ink.series(first.look.series));
    }
}

MarkGraph* FigureSeries::addPoints(const Figure& figure, std::vector<std::size_t> marks)
{
    std::stable_sort(marks.begin(), marks.end(),
        [&](std::size_t a, std::size_t b) { return figure.marks[a].x < figure.marks[b].x; });
    const auto data =
        dataOf(marks, [&](std::size_t mark) { return QCPGraphData(figure.marks[mark].x, figure.marks[mark].y); });
    auto* graph = new MarkGraph(m_plot.xAxis, m_plot.yAxis, std::move(marks));
    graph->setSelectable(QCP::stNone);
    graph->setAdaptiveSampling(false); // it leaves marks out where many share a column of pixels
    graph->setData(data);
    if (figure.marks.size() > kMany)
        graph->setMostShapes(kFew);
    return graph;
}

// Behind all marks. Where there is none, QCustomPlot wants no number.
void FigureSeries::addErrors(const Figure& figure, MarkGraph& graph, const QColor& colour)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    QVector<double> below;
    QVector<double> above;
    bool any = false;
    for (int point = 0; point < graph.dataCount(); ++point) {
        const Mark& mark = figure.marks[graph.markOf(point)];
        below.append(mark.error ? mark.y - mark.error->low : kNone);
        above.append(mark.error ? mark.error->high - mark.y : kNone);
        any = any || mark.error;
    }
    if (!any)
        return;
    auto* errors = new QCPErrorBars(m_plot.xAxis, m_plot.yAxis);
    errors->setLayer(QStringLiteral("main"));
    errors->setSelectable(QCP::stNone);
    errors->setDataPlottable(&graph);
    errors->setData(below, above);
    errors->setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::FlatCap));
    errors->setWhiskerWidth(kWhisker);
    errors->setSymbolGap(0);
    errors->setAntialiased(figure.marks.size() <= kMany);
}

void FigureSeries::addRings(const Figure& figure, const FigureInk& ink)
{
    std::map<std::pair<figures::Flag, double>, std::vector<std::size_t>> rings;
    for (std::size_t i = 0; i < figure.marks.size(); ++i)
        for (std::size_t flag = 0; flag < figure.marks[i].flags.size(); ++flag)
            rings[{figure.marks[i].flags[flag], PlotScene::ringRadius(figure.marks[i], flag)}].push_back(i);
    for (auto& [ring, marks] : rings) {
        const auto& [flag, radius] = ring;
        MarkGraph* graph = addPoints(figure, std::move(marks));
        graph->setScatterStyle(QCPScatterStyle(ringPath(flag, radius), ink.ringPen(flag), Qt::NoBrush, kScatterSize));
    }
}

std::optional<std::size_t> FigureSeries::markAt(const QPointF& place) const
{
    double least = kReach;
    std::optional<std::size_t> nearest;
    for (int i = 0; i < m_plot.plottableCount(); ++i) {
        const auto* graph = qobject_cast<const MarkGraph*>(m_plot.plottable(i));
        if (graph == nullptr || graph->selectable() == QCP::stNone)
            continue;
        for (int point = 0; point < graph->dataCount(); ++point) {
            const QPointF seen = graph->placeOf(point);
            const double off = std::hypot(seen.x() - place.x(), seen.y() - place.y());
            if (off > least || !graph->isSeen(seen))
                continue;
            least = off; // of those at one place, the one that is drawn last
            nearest = graph->markOf(point);
        }
    }
    return nearest;
}

} // namespace headroom::ui
