// SPDX-License-Identifier: Apache-2.0
#include "ui/series/ColumnPainter.h"

#include "tests/ui/UiTest.h"

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr int kValues = 2'000;
const QRectF kPlot(60, 20, 720, 340);

QPointF place(double x, double y)
{
    return {kPlot.x() + kPlot.width() * x / kValues, kPlot.bottom() - kPlot.height() * y / 100};
}

/// Steps at one height, of which the middle one reaches another.
QVector<QPointF> steps(double usual, double highest)
{
    QVector<QPointF> line;
    for (int i = 0; i < kValues; ++i) {
        const double y = i == kValues / 2 ? highest : usual;
        line << place(i, y) << place(i + 1, y);
    }
    return line;
}

// How much of a column of px below x is covered, in px.
double inkAt(const QImage& image, double x)
{
    double ink = 0;
    for (int y = 0; y < image.height(); ++y)
        ink += qAlpha(image.pixel(static_cast<int>(x * image.devicePixelRatio()), y)) / 255.0;
    return ink / image.devicePixelRatio();
}

QImage stroked(const QVector<QPointF>& line, const QPen& pen, double scale)
{
    QImage image(static_cast<int>(800 * scale), static_cast<int>(400 * scale), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    ColumnPainter columns(kPlot, painter);
    columns.add(line);
    columns.stroke(pen);
    return image;
}

} // namespace

class ColumnPainterTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void manyValuesSuitColumns();
    void aPlotWithoutRoomHasNoColumns();
    void columnsShowLeastAndMost_data();
    void columnsShowLeastAndMost();
    void aStrokeIsAsStrongAsALine_data() { columnsShowLeastAndMost_data(); }
    void aStrokeIsAsStrongAsALine();
    void aStrokeHasDashes();
    void whatLeavesThePlotIsCut();
};

void ColumnPainterTest::manyValuesSuitColumns()
{
    QVERIFY(ColumnPainter::suits(steps(40, 40), kPlot));
    QVERIFY(!ColumnPainter::suits(steps(40, 40).first(100), kPlot));
}

// As in a view that is not laid out yet.
void ColumnPainterTest::aPlotWithoutRoomHasNoColumns()
{
    QImage image(20, 20, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const QImage before = image;
    QPainter painter(&image);
    ColumnPainter columns(QRectF(60, 20, -30, 10), painter);
    columns.add(steps(40, 80));
    columns.stroke(QPen(Qt::black, 1));
    painter.end();
    QCOMPARE(image, before);
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
    QImage image(static_cast<int>(800 * scale), static_cast<int>(400 * scale), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    ColumnPainter under(kPlot, painter);
    under.add(steps(60, 90));
    under.addFloor();
    under.fill(QColor(0, 0, 255, 30));
    ColumnPainter spread(kPlot, painter);
    spread.add(steps(60, 90));
    spread.add(steps(40, 40));
    spread.fill(QColor(0, 0, 255, 80));
    painter.end();
    const auto opacity = [&](double x, double y) { return qAlpha(image.pixel((place(x, y) * scale).toPoint())); };
    QVERIFY2(opacity(400, 50) > opacity(400, 20), "the spread is stronger than what lies under it");
    QVERIFY(opacity(400, 20) > 0);
    QCOMPARE(opacity(400, 70), 0);
    // At a fraction of a px it may be drawn in the column beside.
    const double column = kValues / kPlot.width() / scale;
    const int seen =
        std::max({opacity(kValues / 2 - column, 85), opacity(kValues / 2, 85), opacity(kValues / 2 + column, 85)});
    QVERIFY2(seen > 0, "one value among many is seen");
    QCOMPARE(opacity(kValues / 2, 95), 0);
}

void ColumnPainterTest::aStrokeIsAsStrongAsALine()
{
    QFETCH(double, scale);
    const QImage image = stroked(steps(60, 60), QPen(Qt::black, 1.5), scale);
    const QPointF middle = place(400, 60) * scale;
    QVERIFY(qAlpha(image.pixel(middle.toPoint())) > 200);
    for (double x = kPlot.x() + 1; x < kPlot.right() - 1; x += 7)
        QVERIFY2(std::abs(inkAt(image, x) - 1.8) < 0.05, qPrintable(QString::number(inkAt(image, x))));
    QCOMPARE(inkAt(image, kPlot.x() - 2), 0.0);
    QCOMPARE(inkAt(image, kPlot.right() + 2), 0.0);
    const QImage high = stroked(steps(60, 90), QPen(Qt::black, 1.5), scale);
    double most = 0;
    for (double x = kPlot.center().x() - 2; x < kPlot.center().x() + 2; x += 0.5)
        most = std::max(most, inkAt(high, x));
    QVERIFY2(std::abs(most - kPlot.height() * 0.3 - 1.8) < 0.05, "one value among many is joined with the others");
}

void ColumnPainterTest::aStrokeHasDashes()
{
    QPen pen(Qt::black, 2);
    pen.setDashPattern({3, 2}); // 6 px of ink, 4 without
    const QImage image = stroked(steps(60, 60), pen, 1);
    int inked = 0;
    for (int x = 0; x < 100; ++x)
        inked += inkAt(image, kPlot.x() + x + 0.5) > 0 ? 1 : 0;
    QCOMPARE(inked, 60);
}

// Zoomed in, a curve may lie above or below what is seen.
void ColumnPainterTest::whatLeavesThePlotIsCut()
{
    for (const double y : {160.0, -60.0})
        QCOMPARE(inkAt(stroked(steps(y, y), QPen(Qt::black, 1), 1), kPlot.center().x()), 0.0);
    QVERIFY(inkAt(stroked(steps(160, -60), QPen(Qt::black, 1), 1), kPlot.center().x()) <= kPlot.height());
}

HEADROOM_UI_TEST(ColumnPainterTest)

} // namespace headroom::ui

#include "ColumnPainterTest.moc"
