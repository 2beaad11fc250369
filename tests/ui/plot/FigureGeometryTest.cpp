// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/TextMetrics.h"
#include "experiments/figures/svg/SvgWriter.h"
#include "tests/experiments/figures/ExampleFigures.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/plot/SvgGeometry.h"
#include "ui/plot/FigureCanvas.h"
#include "ui/series/MarkGraph.h"
#include "ui/series/SeriesGraph.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <map>

namespace headroom::ui {
namespace {

using namespace figures;

constexpr double kTolerance = 0.5; // px
constexpr double kStripHalo = 8;

bool isNear(const QPointF& a, const QPointF& b)
{
    return std::abs(a.x() - b.x()) <= kTolerance && std::abs(a.y() - b.y()) <= kTolerance;
}

TimelineInput randomTimeline(std::uint64_t seed)
{
    Random random(seed);
    TimelineInput input;
    input.title = "Random memory";
    input.id = "trial";
    input.endNs = static_cast<std::int64_t>(1 + random.below(400)) * kMs;
    for (const char* name : {"allocated", "reserved"}) {
        MemorySeries series{name, {}};
        for (std::int64_t at = 0; at < input.endNs;
            at += 1 + input.endNs / static_cast<std::int64_t>(2 + random.below(80))) {
            const Bytes least = gib(20 * random.fraction());
            series.bins.push_back({at, least, least + gib(random.fraction())});
        }
        input.series.push_back(std::move(series));
    }
    input.phases = {{"forward", -1, 0, input.endNs / 3}, {"backward", -1, input.endNs / 3, input.endNs}};
    if (random.below(2) == 0)
        input.budget = Budget{gib(18), "budget"};
    return input;
}

TimelineInput randomStack(std::uint64_t seed)
{
    TimelineInput input = randomTimeline(seed);
    Random random(seed);
    input.categories = randomCategories(random, 2 + random.below(60), input.endNs);
    input.series[0].bins.clear();
    for (const trace::CategoryBucket& bucket : input.categories)
        input.series[0].bins.push_back({bucket.allocated.beginNs, bucket.allocated.min, bucket.allocated.max});
    return input;
}

PeakBarsInput randomBars(std::uint64_t seed)
{
    Random random(seed);
    PeakBarsInput input;
    input.title = "Random peaks";
    if (random.below(2) == 0)
        input.budget = Budget{gib(5 + 20 * random.fraction()), "budget"};
    for (std::size_t row = 0; row < 1 + seed % 9; ++row) {
        PeakRow bar;
        bar.id = std::to_string(row);
        bar.label = std::string(1 + random.below(30), 'n');
        bar.provenance = random.below(2) == 0 ? Provenance::Measured : Provenance::Predicted;
        if (random.below(5) > 0)
            bar.peak = gib(1 + 20 * random.fraction());
        else
            bar.outcome = Outcome::OutOfMemory;
        if (random.below(2) == 0)
            bar.afterLoad = gib(1);
        input.rows.push_back(std::move(bar));
    }
    return input;
}

CategoryBarsInput randomCategoryBars(std::uint64_t seed)
{
    Random random(seed);
    CategoryBarsInput input;
    input.title = "Random categories";
    for (const trace::CategoryBucket& bucket : randomCategories(random, 1 + random.below(9), 1'000))
        input.rows.push_back({std::to_string(input.rows.size()), std::string(1 + random.below(30), 'n'),
            random.below(2) == 0 ? Provenance::Measured : Provenance::Predicted, Outcome::Completed, {}, bucket.atMax,
            "forward", 0});
    return input;
}

Figure figureOf(const QString& kind, std::uint64_t seed)
{
    if (kind == QLatin1String("tradeoff"))
        return tradeoffFigure(randomTradeoff(seed));
    if (kind == QLatin1String("category-bars"))
        return categoryBarsFigure(randomCategoryBars(seed));
    if (kind == QLatin1String("stack"))
        return timelineFigure(randomStack(seed));
    return kind == QLatin1String("timeline") ? timelineFigure(randomTimeline(seed)) : peakBarsFigure(randomBars(seed));
}

/// The box that words cover with the face they are written in.
QRectF inkBox(const PlacedText& text, Words words = Words::Plain)
{
    const double width =
        std::min(QFontMetricsF(FigureInk::font(words)).horizontalAdvance(QString::fromStdString(text.text)),
            words == Words::Plain ? textWidth(text.text, kFontPx) : boldTextWidth(text.text, kFontPx));
    const double left = text.anchor == TextAnchor::Start ? text.x
        : text.anchor == TextAnchor::Middle              ? text.x - width / 2
                                                         : text.x - width;
    return {left, text.y - 11, width, 14};
}

} // namespace

/// What QCustomPlot draws stands where the report's SVG has it.
class FigureGeometryTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void marksStandWhereTheReportHasThem_data() { figuresToTry(); }
    void marksStandWhereTheReportHasThem()
    {
        show();
        const auto shapes = marks();
        QCOMPARE(shapes.size(), m_figure->marks.size());
        std::vector<bool> taken(shapes.size(), false);
        const auto points = plottedMarks();
        QCOMPARE(points.size(), m_figure->marks.size());
        for (const auto& [index, drawn] : points) {
            const Mark& mark = m_figure->marks[index];
            const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const SvgElement& shape) {
                return !taken[static_cast<std::size_t>(&shape - shapes.data())]
                    && shape.trial == QString::fromStdString(mark.id) && isNear(shape.middle(), drawn);
            });
            QVERIFY2(found != shapes.end(), mark.label.c_str());
            taken[static_cast<std::size_t>(found - shapes.begin())] = true;
        }
    }

    void linesAndBandsFollowTheReports_data() { figuresToTry(); }
    void linesAndBandsFollowTheReports()
    {
        show();
        auto points = m_svg->pathPoints(QStringLiteral("front"));
        const auto counters = m_svg->pathPoints(QStringLiteral("counter"));
        points.insert(points.end(), counters.begin(), counters.end());
        const std::vector<QPointF> drawn = plottedLines();
        for (const QPointF& point : points)
            QVERIFY(std::any_of(drawn.begin(), drawn.end(), [&](const QPointF& at) { return isNear(at, point); }));
    }

    void layersAreTheReports_data() { figuresToTry(); }
    void layersAreTheReports()
    {
        show();
        auto paths = m_svg->ofClass(QStringLiteral("layer"));
        QCOMPARE(paths.size(), m_figure->layers.size());
        std::reverse(paths.begin(), paths.end()); // the upper ones are drawn first
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const Layer& layer = m_figure->layers[i];
            std::vector<QPointF> corners{pixel(layer.points.front().x, 0), pixel(layer.points.back().x, 0)};
            for (std::size_t at = 0; at < layer.points.size(); ++at) {
                corners.push_back(pixel(layer.points[at].x, layer.points[at].high));
                corners.push_back(pixel(layer.points[at].x, layer.points[at > 0 ? at - 1 : 0].high));
            }
            for (const QPointF& point : pointsOf(paths[i]))
                QVERIFY(
                    std::any_of(corners.begin(), corners.end(), [&](const QPointF& at) { return isNear(at, point); }));
        }
    }

    void namesOfLayersAreTheReportsAndInThem_data() { figuresToTry(); }
    void namesOfLayersAreTheReportsAndInThem()
    {
        show();
        const auto written = m_svg->ofClass(QStringLiteral("layer-label"));
        const FigureLayout& layout = m_canvas->scene().layout;
        QCOMPARE(layout.layerLabels.size(), written.size());
        for (std::size_t i = 0; i < written.size(); ++i) {
            const PlacedText& text = layout.layerLabels[i].text;
            QCOMPARE(QString::fromStdString(text.text), written[i].text);
            QVERIFY(isNear({text.x, text.y}, {written[i].number("x"), written[i].number("y")}));
            QVERIFY(isIn(m_figure->layers[layout.layerLabels[i].layer], text.box()));
            for (const MarkLabel& label : layout.labels)
                QVERIFY(!overlap(label.box, text.box()));
        }
    }

    void ticksAreTheReports_data() { figuresToTry(); }
    void ticksAreTheReports()
    {
        show();
        std::vector<double> upright;
        std::vector<double> level;
        for (const SvgElement& line : m_svg->ofClass(QStringLiteral("grid")))
            if (line.number("x1") == line.number("x2"))
                upright.push_back(line.number("x1"));
            else
                level.push_back(line.number("y1"));
        compareWords(*m_canvas->xAxis, m_canvas->scene().layout.xTicks);
        if (!m_canvas->scene().namesAreAboveRows())
            compareWords(*m_canvas->yAxis, m_canvas->scene().layout.yTicks);
        compareTicks(*m_canvas->xAxis, upright);
        if (m_figure->y.scale != Scale::Category)
            compareTicks(*m_canvas->yAxis, level);
    }

    void labelsAreTheReportsAndApart_data() { figuresToTry(); }
    void labelsAreTheReportsAndApart()
    {
        show();
        const auto written = m_svg->ofClass(QStringLiteral("label"));
        const auto& labels = m_canvas->scene().layout.labels;
        QCOMPARE(labels.size(), written.size());
        for (std::size_t i = 0; i < labels.size(); ++i) {
            QCOMPARE(QString::fromStdString(labels[i].text.text), written[i].text);
            QVERIFY(isNear({labels[i].text.x, labels[i].text.y}, {written[i].number("x"), written[i].number("y")}));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!overlap(labels[i].box, labels[j].box));
            QVERIFY(rectF(labels[i].box.grown(1)).contains(inkBox(labels[i].text).adjusted(0, 2, 0, -2)));
        }
    }

    void barsAndSpansAreTheReports_data() { figuresToTry(); }
    void barsAndSpansAreTheReports()
    {
        show();
        std::vector<SvgElement> bars;
        for (const char* kind : {"bar", "part"})
            for (const SvgElement& bar : m_svg->ofClass(QLatin1String(kind)))
                if (bar.group.startsWith(QLatin1String("mark")))
                    bars.push_back(bar);
        QCOMPARE(bars.size(), m_figure->bars.size());
        for (std::size_t i = 0; i < bars.size(); ++i) {
            const BarSegment& bar = m_figure->bars[i];
            QVERIFY(std::abs(m_canvas->xAxis->coordToPixel(bar.from) - bars[i].number("x")) <= kTolerance);
            QVERIFY(std::abs(m_canvas->scene().barBox(i).right() - bars[i].number("x") - bars[i].number("width"))
                <= 2 * kTolerance);
            QVERIFY(std::abs(m_canvas->scene().barBox(i).y - bars[i].number("y")) <= kTolerance);
            const double inRow = bars[i].number("y") + bars[i].number("height") / 2;
            QCOMPARE(std::lround(m_canvas->yAxis->pixelToCoord(inRow)), static_cast<long>(bar.row));
        }
    }

    void nothingIsClipped_data() { figuresToTry(); }
    void nothingIsClipped()
    {
        show();
        const FigureLayout& layout = m_canvas->scene().layout;
        QCOMPARE(m_canvas->axisRect()->left(), static_cast<int>(std::lround(layout.plot.x)));
        const QRectF page(0, 0, m_canvas->width(), m_canvas->height());
        QVERIFY(page.width() >= layout.width && page.height() >= layout.height);
        QVERIFY(page.contains(rectF(layout.plot)));
        for (const auto* texts : {&layout.notes, &layout.rowTexts, &layout.emptyText})
            for (const PlacedText& text : *texts)
                QVERIFY2(page.contains(inkBox(text)), text.text.c_str());
        for (const PlacedText& text : layout.referenceLabels)
            QVERIFY2(page.contains(inkBox(text, Words::Strong).adjusted(1, 0, -1, 0)), text.text.c_str());
        for (const auto* ticks : {&layout.xTicks, &layout.yTicks})
            for (const PlacedTick& tick : *ticks)
                QVERIFY2(page.contains(inkBox(tick.text)), tick.text.text.c_str());
        for (const PlacedLegendEntry& entry : layout.legend)
            QVERIFY2(page.contains(inkBox(entry.text)), entry.text.text.c_str());
    }

private:
    static void figuresToTry()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("seed");
        QTest::addColumn<int>("width");
        for (const QString& kind : {QStringLiteral("tradeoff"), QStringLiteral("timeline"), QStringLiteral("stack"),
                 QStringLiteral("peak-bars"), QStringLiteral("category-bars")})
            for (const int seed : {1, 2, 3, 4, 5, 6, 7, 8})
                for (const int width : {360, 720, 1003})
                    QTest::addRow("%s %d, %d px", qPrintable(kind), seed, width) << kind << seed << width;
    }

    void show()
    {
        QFETCH(QString, kind);
        QFETCH(int, seed);
        QFETCH(int, width);
        m_figure = std::make_shared<const Figure>(figureOf(kind, static_cast<std::uint64_t>(seed)));
        m_svg.emplace(toSvg(*m_figure, {.width = static_cast<double>(width)}));
        m_theme = std::make_unique<Theme>();
        m_canvas = std::make_unique<FigureCanvas>(*m_theme);
        m_canvas->setFigure(m_figure, FigureCanvas::Keep::Nothing);
        const double height = figures::layOut(*m_figure, width, TitleLines::Shown).height;
        m_canvas->setRoom({static_cast<double>(width), height});
        m_canvas->resize(width, static_cast<int>(std::ceil(m_canvas->scene().layout.height)));
        m_canvas->show();
        m_canvas->replot();
    }

    bool isIn(const Layer& layer, const Box& box) const
    {
        for (std::size_t i = 0; i + 1 < layer.points.size(); ++i) {
            const QPointF top = pixel(layer.points[i].x, layer.points[i].high);
            const QPointF bottom = pixel(layer.points[i].x, layer.points[i].low);
            const double end = pixel(layer.points[i + 1].x, 0).x();
            const bool reachesIn = top.x() + kTolerance < box.right() && end - kTolerance > box.x;
            if (reachesIn && (top.y() > box.y + kTolerance || bottom.y() < box.bottom() - kTolerance))
                return false;
        }
        return true;
    }

    std::vector<SvgElement> marks() const
    {
        std::vector<SvgElement> shapes;
        for (const SvgElement& shape : m_svg->ofClass(QStringLiteral("halo")))
            if (shape.number("r") > kStripHalo)
                shapes.push_back(shape);
        return shapes;
    }

    /// Where QCustomPlot has the points of graphs of marks, by mark.
    std::map<std::size_t, QPointF> plottedMarks() const
    {
        std::map<std::size_t, QPointF> places;
        for (int i = 0; i < m_canvas->plottableCount(); ++i)
            if (const auto* graph = qobject_cast<const MarkGraph*>(m_canvas->plottable(i));
                graph && graph->selectable())
                for (int point = 0; point < graph->dataCount(); ++point)
                    places[graph->markOf(point)] = graph->dataPixelPosition(point);
        return places;
    }

    /// And those of lines.
    std::vector<QPointF> plottedLines() const
    {
        std::vector<QPointF> places;
        for (int i = 0; i < m_canvas->plottableCount(); ++i) {
            QCPAbstractPlottable* plottable = m_canvas->plottable(i);
            const bool isLine = qobject_cast<SeriesGraph*>(plottable) || qobject_cast<QCPCurve*>(plottable);
            if (isLine && plottable->brush().style() == Qt::NoBrush && plottable->visible())
                for (int point = 0; point < plottable->interface1D()->dataCount(); ++point)
                    places.push_back(plottable->interface1D()->dataPixelPosition(point));
        }
        return places;
    }

    QPointF pixel(double x, double y) const
    {
        return {m_canvas->xAxis->coordToPixel(x), m_canvas->yAxis->coordToPixel(y)};
    }

    static void compareWords(const QCPAxis& axis, const std::vector<PlacedTick>& expected)
    {
        const QVector<QString> words = axis.tickVectorLabels();
        QCOMPARE(static_cast<std::size_t>(words.size()), expected.size());
        for (const PlacedTick& tick : expected)
            QVERIFY2(words.contains(QString::fromStdString(tick.text.text)), tick.text.text.c_str());
    }

    static void compareTicks(const QCPAxis& axis, const std::vector<double>& expected)
    {
        const QVector<double> ticks = axis.tickVector();
        QCOMPARE(static_cast<std::size_t>(ticks.size()), expected.size());
        for (const double at : expected)
            QVERIFY(std::any_of(ticks.begin(), ticks.end(),
                [&](double value) { return std::abs(axis.coordToPixel(value) - at) <= kTolerance; }));
    }

    FigurePtr m_figure;
    std::optional<SvgGeometry> m_svg;
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<FigureCanvas> m_canvas;
};

HEADROOM_UI_TEST(FigureGeometryTest)

} // namespace headroom::ui

#include "FigureGeometryTest.moc"
