// SPDX-License-Identifier: Apache-2.0
#include "ui/series/FigureSeries.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/figures/PlotFixture.h"
#include "ui/series/MarkGraph.h"
#include "ui/series/SeriesGraph.h"

#include <cmath>
#include <qcustomplot.h>

namespace headroom::ui {

using namespace figures;

class FigureSeriesTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_plot = std::make_unique<QCustomPlot>();
        m_plot->addLayer(QLatin1String(FigureSeries::kMarks));
        m_plot->resize(800, 500);
        m_series = std::make_unique<FigureSeries>(*m_plot);
    }

    void marksAreGraphsOfTheirLook()
    {
        const auto figure = fourMarks();
        show(*figure);
        std::size_t points = 0;
        for (const MarkGraph* graph : plotted<MarkGraph>())
            for (int i = 0; graph->selectable() && i < graph->dataCount(); ++i, ++points) {
                const Mark& mark = figure->marks[graph->markOf(i)];
                QCOMPARE(graph->dataMainKey(i), mark.x);
                QCOMPARE(graph->dataMainValue(i), mark.y);
                QCOMPARE(mark.look, figure->marks[graph->markOf(0)].look);
            }
        QCOMPARE(points, figure->marks.size());
        QCOMPARE(m_plot->itemCount(), static_cast<int>(figure->references.size()));
    }

    void anIntervalIsAnErrorBarOfItsMarkAlone()
    {
        const Figure figure = withErrors();
        show(figure);
        QCOMPARE(plotted<QCPErrorBars>().size(), std::size_t(1));
        const QCPErrorBars& bars = *plotted<QCPErrorBars>().front();
        const auto& graph = *qobject_cast<MarkGraph*>(bars.dataPlottable());
        for (int i = 0; i < graph.dataCount(); ++i) {
            const Mark& mark = figure.marks[graph.markOf(i)];
            QCOMPARE(std::isnan(bars.data()->at(i).errorPlus), !mark.error);
            if (mark.error)
                QCOMPARE(mark.y + bars.data()->at(i).errorPlus, mark.error->high);
        }
    }

    void aFlagIsARingAroundItsMarks()
    {
        Figure figure = *fourMarks();
        figure.marks[1].flags = {Flag::NotSteady, Flag::Pressured};
        figure.marks[2].flags = {Flag::NotSteady};
        const std::size_t before = shownGraphs(*fourMarks());
        QCOMPARE(shownGraphs(figure), before + 2);
        QCOMPARE(m_series->markAt(place(figure.marks[1])), std::optional<std::size_t>(1));
    }

    void countersAndBandsAreGraphs()
    {
        const Figure figure = timelineFigure(oneStep());
        show(figure);
        std::size_t spreads = 0;
        std::size_t below = 0;
        for (const Band& band : figure.bands) {
            spreads += band.spread != Band::Spread::None ? 1 : 0;
            below += band.below != Band::Below::Nothing ? 1 : 0;
        }
        QCOMPARE(below, figure.layers.empty() ? 1U : 0U);
        const std::size_t fills = spreads + below;
        QCOMPARE(plotted<SeriesGraph>().size(), figure.lines.size() + spreads + fills); // a spread has a lower edge
        std::size_t filled = 0;
        for (const SeriesGraph* graph : plotted<SeriesGraph>())
            filled += graph->brush().style() != Qt::NoBrush ? 1 : 0;
        QCOMPARE(filled, fills);
    }

    void theNearestMarkWithinReachIsFound()
    {
        const auto figure = fourMarks();
        show(*figure);
        for (std::size_t i = 0; i < figure->marks.size(); ++i)
            QCOMPARE(m_series->markAt(place(figure->marks[i]) + QPointF(3, 2)), std::optional(i));
        QVERIFY(!m_series->markAt(place(figure->marks[0]) + QPointF(11, 0)));
    }

    void ofMarksAtOnePlaceTheOneDrawnLastIsFound()
    {
        Figure figure = *fourMarks();
        figure.marks.push_back(figure.marks.front());
        show(figure);
        QCOMPARE(m_series->markAt(place(figure.marks.front())), std::optional(figure.marks.size() - 1));
    }

    void aMarkThatIsNotSeenHidesNoneThatIs()
    {
        const auto figure = fourMarks();
        show(*figure);
        const QPointF at = place(figure->marks[0]);
        m_plot->xAxis->setRangeLower(m_plot->xAxis->pixelToCoord(at.x() + 3));
        QVERIFY(m_series->markAt(place(figure->marks[0])) != std::optional<std::size_t>(0));
    }

    // Adaptive sampling draws a few of the points of a column of pixels.
    void aMarkAloneInACrowdedColumnIsDrawn()
    {
        Figure figure = *fourMarks();
        const auto markAt = [&](double share) {
            Mark mark = figure.marks.front();
            mark.x = (figure.x.low + figure.x.high) / 2;
            mark.y = figure.y.low + share * (figure.y.high - figure.y.low);
            return mark;
        };
        const Mark alone = markAt(0.5);
        Figure crowded = figure;
        figure.marks.push_back(alone);
        const QImage drawn = picture(figure);
        const QRect around(place(alone).toPoint() - QPoint(8, 8), QSize(17, 17));
        crowded.marks.push_back(markAt(0.8));
        crowded.marks.insert(crowded.marks.end(), 1'777, markAt(0.2));
        crowded.marks.push_back(alone);
        crowded.marks.insert(crowded.marks.end(), 1'777, markAt(0.2));
        QVERIFY(drawn.copy(around) != picture(*fourMarks()).copy(around));
        QVERIFY(picture(crowded).copy(around) != picture(*fourMarks()).copy(around));
    }

    void veryManyMarksAreTheirShapes()
    {
        Figure figure = *fourMarks();
        const Mark mark = figure.marks.front();
        const QImage one = picture(figure);
        for (int copies = 0; copies < 500; ++copies)
            figure.marks.push_back(mark);
        const QImage many = picture(figure);
        const QPoint middle = place(mark).toPoint();
        QCOMPARE(many.pixelColor(middle), one.pixelColor(middle));
        QCOMPARE(many.pixelColor(middle + QPoint(12, 0)), one.pixelColor(middle + QPoint(12, 0)));
    }

    void nothingIsLeftOfTheFigureBefore()
    {
        show(timelineFigure(oneStep()));
        show(tradeoffFigure({}));
        QCOMPARE(m_plot->plottableCount() + m_plot->itemCount(), 0);
    }

private:
    static Figure withErrors()
    {
        Figure figure = *fourMarks();
        figure.marks[0].error = ErrorBar{figure.marks[0].y * 0.9, figure.marks[0].y * 1.1};
        return figure;
    }

    void show(const Figure& figure)
    {
        m_series->plot(figure, m_ink);
        m_plot->xAxis->setRange(figure.x.low, figure.x.high);
        m_plot->yAxis->setRange(figure.y.low, figure.y.high);
        m_plot->replot();
    }

    std::size_t shownGraphs(const Figure& figure)
    {
        show(figure);
        return plotted<MarkGraph>().size();
    }

    QImage picture(const Figure& figure)
    {
        show(figure);
        return m_plot->toPixmap(800, 500).toImage();
    }

    template <typename Plottable> std::vector<Plottable*> plotted() const
    {
        std::vector<Plottable*> found;
        for (int i = 0; i < m_plot->plottableCount(); ++i)
            if (auto* plottable = qobject_cast<Plottable*>(m_plot->plottable(i)))
                found.push_back(plottable);
        return found;
    }

    QPointF place(const Mark& mark) const
    {
        return {m_plot->xAxis->coordToPixel(mark.x), m_plot->yAxis->coordToPixel(mark.y)};
    }

    FigureInk m_ink{lightPalette()};
    std::unique_ptr<QCustomPlot> m_plot;
    std::unique_ptr<FigureSeries> m_series;
};

HEADROOM_UI_TEST(FigureSeriesTest)

} // namespace headroom::ui

#include "FigureSeriesTest.moc"
