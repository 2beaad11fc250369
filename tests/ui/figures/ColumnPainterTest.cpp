// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/ColumnPainter.h"

#include "experiments/figures/layout/FigureLayout.h"
#include "tests/ui/UiTest.h"

namespace headroom::ui {
namespace {

constexpr std::size_t kValues = 2'000;

/// Values between 40 and 60 of 100 at every place, but for one that reaches 90.
FigurePtr denseFigure()
{
    figures::Figure figure;
    figure.x = {"Time (ms)", figures::Scale::Linear, 0, double(kValues), {}};
    figure.y = {"Memory (GiB)", figures::Scale::Linear, 0, 100, {}};
    figures::Band band;
    for (std::size_t i = 0; i <= kValues; ++i)
        band.points.push_back({double(i), 40, i == kValues / 2 ? 90.0 : 60.0});
    figure.bands.push_back(std::move(band));
    return std::make_shared<const figures::Figure>(std::move(figure));
}

} // namespace

class ColumnPainterTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void manyValuesSuitColumns();
    void columnsShowLeastAndMost_data();
    void columnsShowLeastAndMost();
};

void ColumnPainterTest::manyValuesSuitColumns()
{
    const auto figure = denseFigure();
    const auto layout = figures::layOut(*figure, figures::Room{800, 400}, figures::TitleLines::Hidden);
    const PlotScene scene = sceneOf(figure, layout);
    QVERIFY(ColumnPainter::suits(scene, kValues));
    QVERIFY(!ColumnPainter::suits(scene, 50));
}

void ColumnPainterTest::columnsShowLeastAndMost_data()
{
    QTest::addColumn<double>("scale");
    QTest::newRow("1x") << 1.0;
    QTest::newRow("1.5x") << 1.5;
    QTest::newRow("2x") << 2.0;
}

void ColumnPainterTest::columnsShowLeastAndMost()
{
    QFETCH(double, scale);
    const auto figure = denseFigure();
    const auto layout = figures::layOut(*figure, figures::Room{800, 400}, figures::TitleLines::Hidden);
    const PlotScene scene = sceneOf(figure, layout);
    QImage image(static_cast<int>(800 * scale), static_cast<int>(400 * scale), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    const FigureInk ink(figures::lightPalette());
    ColumnPainter(scene, ink, painter)
        .paintBand(figure->bands[0], 0, figure->bands[0].points.size(), ColumnPainter::Fill::SpreadAndUnder);
    painter.end();
    const auto opacity = [&](double x, double y) {
        return qAlpha(image.pixel(static_cast<int>(scene.xOf(x) * scale), static_cast<int>(scene.yOf(y) * scale)));
    };
    QVERIFY2(opacity(400, 50) > opacity(400, 20), "the spread is stronger than what lies under it");
    QVERIFY(opacity(400, 20) > 0);
    QCOMPARE(opacity(400, 70), 0);
    // At a fraction of a px it may be drawn in the column beside.
    const double column = kValues / scene.layout.plot.width / scale;
    const int seen =
        std::max({opacity(kValues / 2 - column, 85), opacity(kValues / 2, 85), opacity(kValues / 2 + column, 85)});
    QVERIFY2(seen > 0, "one value among many is seen");
    QCOMPARE(opacity(kValues / 2, 95), 0);
}

HEADROOM_UI_TEST(ColumnPainterTest)

} // namespace headroom::ui

#include "ColumnPainterTest.moc"
