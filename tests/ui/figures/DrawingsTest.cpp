// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/effects/EffectsFigure.h"
#include "experiments/figures/memory/ComparisonFigure.h"
#include "experiments/figures/memory/OccupancyFigure.h"
#include "experiments/figures/svg/SvgWriter.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/figures/PaintedPrimitives.h"
#include "tests/ui/figures/PlotFixture.h"
#include "ui/figures/PainterCanvas.h"

#include <QRegularExpression>

namespace headroom::ui {
namespace {

constexpr double kWidth = 720;

figures::ComparisonInput twoRuns()
{
    figures::ComparisonInput input;
    input.title = "Two runs";
    input.window = {0, 40 * figures::kMs};
    for (const char* name : {"first", "second"}) {
        const double size = input.trials.empty() ? 2 : 3;
        figures::ComparedMemory trial;
        trial.id = name;
        trial.name = name;
        trial.bins = {{0, 0, figures::gib(1)}, {10 * figures::kMs, 0, figures::gib(size)},
            {30 * figures::kMs, 0, figures::gib(4 - size)}};
        trial.peak = {figures::gib(size), 10 * figures::kMs};
        input.trials.push_back(trial);
    }
    return input;
}

figures::Figure twoEffects()
{
    figures::EffectBarsInput input{.title = "Effects", .axis = "Change (GiB)", .less = "saves", .more = "takes"};
    input.bars = {{"casting e4m3", -0.7, "-0.7 GiB", false, ""}, {"both", 0.4, "0.4 GiB", true, "more together"}};
    return figures::effectBarsFigure(input);
}

QString unescaped(QString text)
{
    return text.replace(QStringLiteral("&lt;"), QStringLiteral("<"))
        .replace(QStringLiteral("&gt;"), QStringLiteral(">"))
        .replace(QStringLiteral("&quot;"), QStringLiteral("\""))
        .replace(QStringLiteral("&#39;"), QStringLiteral("'"))
        .replace(QStringLiteral("&amp;"), QStringLiteral("&"));
}

/// Of a path of steps: "M1 2h3v4l5 6z".
QRectF boundsOf(const QString& path)
{
    static const QRegularExpression kStep(QStringLiteral("([Mlhv])(-?[0-9.]+)(?: (-?[0-9.]+))?"));
    QPointF at;
    QPolygonF corners;
    for (auto step = kStep.globalMatch(path); step.hasNext();) {
        const QRegularExpressionMatch match = step.next();
        const double first = match.captured(2).toDouble();
        const double second = match.captured(3).toDouble();
        const QString kind = match.captured(1);
        if (kind == QLatin1String("M"))
            at = {first, second};
        else
            at += kind == QLatin1String("v") ? QPointF(0, first) : QPointF(first, second);
        corners << at;
    }
    return corners.boundingRect();
}

QStringList wordsOfSvg(const QString& svg)
{
    static const QRegularExpression kText(QStringLiteral("<text [^>]*>([^<]*)</text>"));
    QStringList words;
    for (auto found = kText.globalMatch(svg); found.hasNext();)
        if (const QString text = unescaped(found.next().captured(1));
            !text.isEmpty() && (words.isEmpty() || words.last() != text))
            words.append(text);
    return words;
}

std::vector<QRectF> areasOfSvg(const QString& svg)
{
    static const QRegularExpression kArea(
        QStringLiteral("<path class=\"(?:under|spread|faded|layer)[^\"]*\"[^>]* d=\"([^\"]*)\""));
    std::vector<QRectF> areas;
    for (auto found = kArea.globalMatch(svg); found.hasNext();)
        areas.push_back(boundsOf(found.next().captured(1)));
    return areas;
}

bool isNear(const QRectF& a, const QRectF& b)
{
    constexpr double kPx = 0.5;
    return std::abs(a.left() - b.left()) < kPx && std::abs(a.top() - b.top()) < kPx
        && std::abs(a.right() - b.right()) < kPx && std::abs(a.bottom() - b.bottom()) < kPx;
}

} // namespace

class DrawingsTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void writtenAndPaintedTheSameIsDrawn_data()
    {
        QTest::addColumn<figures::Figure>("figure");
        QTest::addColumn<std::size_t>("areas");
        QTest::newRow("tradeoff") << figures::tradeoffFigure(figures::fourPolicies()) << std::size_t(0);
        QTest::newRow("many marks") << figures::tradeoffFigure(figures::randomTradeoff(3)) << std::size_t(0);
        QTest::newRow("peaks") << figures::peakBarsFigure(figures::threeBars()) << std::size_t(0);
        QTest::newRow("categories") << figures::categoryBarsFigure(figures::twoPeaks()) << std::size_t(0);
        QTest::newRow("timeline") << figures::timelineFigure(figures::oneStep()) << std::size_t(2);
        QTest::newRow("stack") << figures::timelineFigure(figures::ownedStep()) << std::size_t(4);
        QTest::newRow("comparison") << figures::comparisonFigure(twoRuns()) << std::size_t(0);
        QTest::newRow("difference") << figures::differenceFigure(twoRuns()) << std::size_t(1);
        QTest::newRow("occupancy") << figures::occupancyFigure({"Kernels", "id", {0, 10}, {{0, 0.5}, {5, 1}}, 0.75, {}})
                                   << std::size_t(1);
        QTest::newRow("effects") << twoEffects() << std::size_t(0);
        QTest::newRow("nothing") << figures::tradeoffFigure({}) << std::size_t(0);
    }

    void writtenAndPaintedTheSameIsDrawn()
    {
        QFETCH(figures::Figure, figure);
        QFETCH(std::size_t, areas);
        const QString svg = QString::fromStdString(figures::toSvg(figure, {.width = kWidth}));
        const FigurePtr whole = shared(figure);
        NotedPaper paper;
        QPainter painter(&paper);
        paintFigure(sceneOf(whole, figures::layOut(*whole, kWidth, figures::TitleLines::Shown)),
            FigureInk(figures::lightPalette()), painter);
        painter.end();
        QCOMPARE(paper.words(), wordsOfSvg(svg));
        const std::vector<QRectF> written = areasOfSvg(svg);
        QCOMPARE(written.size(), areas);
        QCOMPARE(paper.areas().size(), areas);
        for (std::size_t i = 0; i < areas; ++i)
            QVERIFY2(isNear(written[i], paper.areas()[i]), qPrintable(QString::number(i)));
    }
};

HEADROOM_UI_TEST(DrawingsTest)

} // namespace headroom::ui

#include "DrawingsTest.moc"
