// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/FigurePainter.h"

#include "ui/figures/DataPainter.h"
#include "ui/figures/FramePainter.h"
#include "ui/figures/ShapePainter.h"

#include <cstddef>

namespace headroom::ui {
namespace {

/// Paints for files and paper what QCustomPlot plots on the screen: bands, lines and marks.
class SeriesPainter {
public:
    SeriesPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter);

    /// Bands, lines and the lines of references.
    void paintLines();
    /// Marks with their error bars and the rings of their flags.
    void paintMarks();

private:
    void paintBand(const figures::Band& band);
    void paintLine(const figures::Polyline& line);
    void paintReference(const figures::ReferenceLine& line);
    void paintErrors();
    void paintMark(const figures::Mark& mark);
    QPointF top(const figures::BandPoint& point) const { return {m_scene.xOf(point.x), m_scene.yOf(point.high)}; }
    QPointF bottom(const figures::BandPoint& point) const { return {m_scene.xOf(point.x), m_scene.yOf(point.low)}; }

    const PlotScene& m_scene;
    const FigureInk& m_ink;
    QPainter& m_painter;
};

SeriesPainter::SeriesPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter)
    : m_scene(scene)
    , m_ink(ink)
    , m_painter(painter)
{
}

void SeriesPainter::paintLines()
{
    m_painter.save();
    m_painter.setClipRect(rectF(m_scene.layout.plot.grown(1)), Qt::IntersectClip);
    m_painter.setPen(Qt::NoPen);
    for (const figures::Band& band : m_scene.whole->bands)
        if (!band.points.empty())
            paintBand(band);
    for (const figures::Polyline& line : m_scene.whole->lines)
        paintLine(line);
    m_painter.restore();
    for (const figures::ReferenceLine& line : m_scene.whole->references)
        paintReference(line);
}

void SeriesPainter::paintBand(const figures::Band& band)
{
    QPolygonF most;
    for (const figures::BandPoint& point : band.points) {
        const QPointF next = top(point);
        if (!most.isEmpty())
            most << QPointF(next.x(), most.last().y());
        most << next;
    }
    QPolygonF spread = most;
    for (std::size_t i = band.points.size(); i-- > 0;) {
        spread << bottom(band.points[i]);
        if (i > 0)
            spread << QPointF(bottom(band.points[i]).x(), bottom(band.points[i - 1]).y());
    }
    if (band.below == figures::Band::Below::Shade) {
        const double axis = m_scene.layout.plot.bottom();
        most << QPointF(most.last().x(), axis) << QPointF(most.first().x(), axis);
        m_painter.setBrush(m_ink.under(band.look.series));
        m_painter.drawPolygon(most);
    }
    if (band.spread == figures::Band::Spread::None)
        return;
    m_painter.setBrush(band.spread == figures::Band::Spread::Fade ? m_ink.fade() : m_ink.spread(band.look.series));
    m_painter.drawPolygon(spread);
}

void SeriesPainter::paintLine(const figures::Polyline& line)
{
    QPolygonF points;
    for (const figures::Point& point : line.points)
        points << QPointF(m_scene.xOf(point.x), m_scene.yOf(point.y));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(m_ink.linePen(line));
    m_painter.drawPolyline(points);
}

void SeriesPainter::paintReference(const figures::ReferenceLine& line)
{
    const figures::Box& plot = m_scene.layout.plot;
    const bool vertical = line.direction == figures::Direction::Vertical;
    if (const figures::Axis& axis = vertical ? m_scene.x : m_scene.y; line.at < axis.low || line.at > axis.high)
        return;
    m_painter.setPen(m_ink.limitPen());
    if (vertical)
        m_painter.drawLine(QLineF(m_scene.xOf(line.at), plot.y - 2, m_scene.xOf(line.at), plot.bottom()));
    else
        m_painter.drawLine(QLineF(plot.x, m_scene.yOf(line.at), plot.right(), m_scene.yOf(line.at)));
}

// Those that want no label lie behind those that have one.
void SeriesPainter::paintMarks()
{
    paintErrors();
    for (const bool minor : {true, false})
        for (const figures::Mark& mark : m_scene.whole->marks)
            if ((mark.wish == figures::LabelWish::None) == minor)
                paintMark(mark);
}

void SeriesPainter::paintErrors()
{
    for (const figures::Mark& mark : m_scene.whole->marks)
        if (mark.error)
            paintErrorBar(m_painter, m_ink.series(mark.look.series), m_scene.xOf(mark.x), m_scene.yOf(mark.error->high),
                m_scene.yOf(mark.error->low));
}

void SeriesPainter::paintMark(const figures::Mark& mark)
{
    const figures::Pixel at = m_scene.at(mark);
    paintShape(m_painter, m_ink, mark.look, at, PlotScene::radiusOf(mark), outlineOf(mark, *m_scene.whole));
    for (std::size_t i = 0; i < mark.flags.size(); ++i)
        paintFlagRing(m_painter, m_ink, mark.flags[i], at, PlotScene::ringRadius(mark, i));
}

} // namespace

void paintFigure(const PlotScene& scene, const FigureInk& ink, QPainter& painter)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(0, 0, scene.layout.width, scene.layout.height), ink.surface());
    FramePainter frame(scene, ink, painter);
    frame.paintWords();
    if (!scene.isEmpty()) {
        frame.paintAxes();
        DataPainter data(scene, ink, painter);
        SeriesPainter series(scene, ink, painter);
        data.paintGround(StackForm::Outlines);
        series.paintLines();
        data.paintRows();
        series.paintMarks();
        data.paintLabels();
    }
    frame.paintStrip();
}

} // namespace headroom::ui
