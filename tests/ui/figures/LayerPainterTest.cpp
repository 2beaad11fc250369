// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/LayerPainter.h"

#include "experiments/figures/layout/FigureLayout.h"
#include "experiments/figures/memory/CategoryStack.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/figures/PlotFixture.h"
#include "ui/look/CategoryBrush.h"

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

using config::MemoryCategory;

constexpr figures::Room kRoom{800, 400};

FigurePtr stackOf(std::uint64_t seed, std::size_t buckets)
{
    figures::Random random(seed);
    figures::TimelineInput input;
    input.endNs = 1'000'000;
    input.categories = figures::randomCategories(random, buckets, input.endNs);
    input.series = {{"allocated", {}}};
    for (const trace::CategoryBucket& bucket : input.categories)
        input.series[0].bins.push_back({bucket.allocated.beginNs, bucket.allocated.min, bucket.allocated.max});
    input.window = figures::TimeWindow{0, input.endNs}; // as fine as it is
    return shared(figures::timelineFigure(input));
}

PlotScene sceneFor(const FigurePtr& figure)
{
    return sceneOf(figure, figures::layOut(*figure, kRoom, figures::TitleLines::Hidden));
}

QImage painted(const PlotScene& scene, double scale)
{
    QImage image(QSize(static_cast<int>(kRoom.width * scale), static_cast<int>(kRoom.height * scale)),
        QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    const FigureInk ink(figures::lightPalette());
    LayerPainter(scene, ink, painter).paint();
    return image;
}

/// The highest stack of those that are drawn in a column: from the column where their time begins to the one where it
/// ends, and in one at least.
std::size_t highest(const PlotScene& scene, long column, double scale)
{
    const auto& top = scene.whole->layers.back().points;
    const auto columnOf = [&](double x) { return std::lround((scene.xOf(x) - scene.layout.plot.x) * scale); };
    std::size_t best = top.size();
    for (std::size_t i = 0; i + 1 < top.size(); ++i) {
        const long from = columnOf(top[i].x);
        const long to = std::max(columnOf(top[i + 1].x), from + 1);
        if (from <= column && column < to && (best == top.size() || top[i].high > top[best].high))
            best = i;
    }
    return best;
}

bool isOf(QRgb pixel, std::size_t category, double scale)
{
    const QImage tile = categoryTile(figures::lightPalette(), category, scale);
    for (int y = 0; y < tile.height(); ++y)
        for (int x = 0; x < tile.width(); ++x)
            if (tile.pixel(x, y) == pixel)
                return true;
    return false;
}

} // namespace

class LayerPainterTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void pixelsAreThoseOfTheHighestStackInTheirColumn_data();
    void pixelsAreThoseOfTheHighestStackInTheirColumn();
    void tilesHaveTheirTextures();
};

void LayerPainterTest::pixelsAreThoseOfTheHighestStackInTheirColumn_data()
{
    QTest::addColumn<int>("buckets");
    QTest::addColumn<double>("scale");
    for (const int buckets : {1, 7, 300, 5'000})
        for (const double scale : {1.0, 1.5, 2.0})
            QTest::addRow("%d buckets, %.1f", buckets, scale) << buckets << scale;
}

// Against a plain search for every column.
void LayerPainterTest::pixelsAreThoseOfTheHighestStackInTheirColumn()
{
    QFETCH(int, buckets);
    QFETCH(double, scale);
    const FigurePtr figure = stackOf(static_cast<std::uint64_t>(buckets), static_cast<std::size_t>(buckets));
    const PlotScene scene = sceneFor(figure);
    const QImage image = painted(scene, scale);
    const double left = scene.layout.plot.x * scale;
    int compared = 0;
    for (long column = 3; column < std::lround(scene.layout.plot.width * scale) - 3; column += 13) {
        const std::size_t value = highest(scene, column, scale);
        const int x = static_cast<int>(std::ceil(left)) + static_cast<int>(column);
        for (const figures::Layer& layer : figure->layers) {
            const double top = scene.yOf(layer.points[value].high) * scale;
            const double bottom = scene.yOf(layer.points[value].low) * scale;
            if (bottom - top < 4) // where edges meet a pixel, either one is right
                continue;
            QVERIFY(isOf(image.pixel(x, static_cast<int>((top + bottom) / 2)), layer.look.series, scale));
            ++compared;
        }
        const double above = scene.yOf(figure->layers.back().points[value].high) * scale - 3;
        QCOMPARE(qAlpha(image.pixel(x, static_cast<int>(above))), 0);
    }
    QVERIFY(compared > 20);
}

void LayerPainterTest::tilesHaveTheirTextures()
{
    const auto coloursOf = [](MemoryCategory category) {
        const QImage tile = categoryTile(figures::lightPalette(), static_cast<std::size_t>(category), 2);
        std::vector<QRgb> colours;
        for (int y = 0; y < tile.height(); ++y)
            for (int x = 0; x < tile.width(); ++x)
                if (std::ranges::find(colours, tile.pixel(x, y)) == colours.end())
                    colours.push_back(tile.pixel(x, y));
        return colours.size();
    };
    QCOMPARE(coloursOf(MemoryCategory::Weights), std::size_t(1));
    QVERIFY(coloursOf(MemoryCategory::Gradients) > 1);
    QVERIFY(coloursOf(MemoryCategory::Temporaries) > 1);
}

HEADROOM_UI_TEST(LayerPainterTest)

} // namespace headroom::ui

#include "LayerPainterTest.moc"
