// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/FigureObject.h"

#include "tests/experiments/figures/ExampleFigures.h"
#include "tests/ui/UiTest.h"
#include "ui/figures/FigureExport.h"

#include <QPainter>

namespace headroom::ui {

class FigureObjectTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void figuresOnPaperAreThoseOfFiles_data()
    {
        QTest::addColumn<figures::Figure>("figure");
        QTest::newRow("tradeoff") << figures::tradeoffFigure(figures::fourPolicies());
        QTest::newRow("many marks") << figures::tradeoffFigure(figures::randomTradeoff(3));
        QTest::newRow("peaks") << figures::peakBarsFigure(figures::threeBars());
        QTest::newRow("categories") << figures::categoryBarsFigure(figures::twoPeaks());
        QTest::newRow("timeline") << figures::timelineFigure(figures::ownedStep());
        QTest::newRow("nothing") << figures::tradeoffFigure({});
    }

    void figuresOnPaperAreThoseOfFiles()
    {
        QFETCH(figures::Figure, figure);
        constexpr ExportStyle kStyle{.width = 640};
        const QImage expected = pictureOf(figure, kStyle);
        FigureObject object;
        object.add(figures::tradeoffFigure(figures::fourPolicies()), 500);
        const QTextCharFormat format = object.add(figure, kStyle.width);
        const QSizeF size = object.intrinsicSize(nullptr, 0, format);
        QCOMPARE(QSize(qCeil(size.width()), qCeil(size.height())), expected.size());
        QImage paper(expected.size(), expected.format());
        paper.fill(Qt::white);
        QPainter painter(&paper);
        object.drawObject(&painter, QRectF(QPointF(), size), nullptr, 0, format);
        painter.end();
        QCOMPARE(paper, expected);
    }
};

HEADROOM_UI_TEST(FigureObjectTest)

} // namespace headroom::ui

#include "FigureObjectTest.moc"
