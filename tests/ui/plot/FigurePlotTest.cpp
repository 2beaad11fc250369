// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/FigurePlot.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/figures/PlotFixture.h"
#include "tests/ui/plot/PlotDriver.h"

#include <QSignalSpy>
#include <QToolTip>

namespace headroom::ui {

using namespace figures;

class FigurePlotTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_theme.setScheme(ColourScheme::Light);
        m_plot = std::make_unique<FigurePlot>(m_theme);
        m_plot->resize(800, 500);
        m_plot->setFigure(fourMarks());
        m_plot->show();
        m_plot->setFocus();
        QVERIFY(QTest::qWaitForWindowActive(m_plot.get()));
    }

    void theWheelZoomsAtThePointer()
    {
        const Mark& mark = m_plot->figure()->marks[2];
        const QPointF before = drive().placeOf(mark);
        drive().turnWheel(before, Qt::NoModifier);
        QVERIFY(span() < wholeSpan());
        QVERIFY((drive().placeOf(mark) - before).manhattanLength() < 1);
        const double once = span();
        drive().turnWheel(before, Qt::ControlModifier);
        const double finely = once - span();
        const double fine = span();
        drive().turnWheel(before, Qt::ShiftModifier);
        QVERIFY(fine - span() > finely);
    }

    void aBoxIsZoomedToAndTheWayBackIsRemembered()
    {
        const Window whole = canvas().window();
        drive().dragBox(Qt::LeftButton, Qt::NoModifier, {0.2, 0.2}, {0.6, 0.7});
        const Window box = canvas().window();
        QVERIFY(box.x.low > whole.x.low && box.x.high < whole.x.high);
        QVERIFY(box.y.low > whole.y.low && box.y.high < whole.y.high);
        drive().press(Qt::Key_Plus);
        QVERIFY(canvas().window() != box);
        drive().press(Qt::Key_Z);
        QCOMPARE(canvas().window(), box);
        drive().press(Qt::Key_Backspace);
        QCOMPARE(canvas().window(), whole);
        QVERIFY(!m_plot->actions().back->isEnabled());
        drive().press(Qt::Key_Z, Qt::ShiftModifier);
        QCOMPARE(canvas().window(), box);
        drive().press(Qt::Key_0);
        QCOMPARE(canvas().window(), whole);
    }

    void escapeEndsABoxAndASmallOneIsNone()
    {
        const Window whole = canvas().window();
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, drive().inPlot({0.2, 0.2}));
        drive().moveTo(drive().inPlot({0.6, 0.7}), Qt::LeftButton, {});
        QVERIFY(canvas().selectionRect()->isActive());
        drive().press(Qt::Key_Escape);
        QVERIFY(!canvas().selectionRect()->isActive());
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, drive().inPlot({0.6, 0.7}));
        QCOMPARE(canvas().window(), whole);
        const QPoint from = drive().inPlot({0.3, 0.3});
        drive().dragTo(Qt::LeftButton, {}, from, from + QPoint(40, 2));
        QCOMPARE(canvas().window(), whole);
    }

    void besideThePlotTheWheelIsThePages()
    {
        const QPointF title(200, 4);
        QWheelEvent event(title, canvas().mapToGlobal(title), {}, {0, 120}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas(), &event);
        QVERIFY(!event.isAccepted());
        QCOMPARE(span(), wholeSpan());
    }

    void aZoomedPlotHasTheMarksAndTicksOfItsWindow()
    {
        drive().dragBox(Qt::LeftButton, Qt::NoModifier, {0.5, 0.0}, {1.0, 1.0});
        QVERIFY(m_plot->shown()->marks.size() < m_plot->figure()->marks.size());
        QCOMPARE(canvas().scene().layout.marks.size(), m_plot->shown()->marks.size());
        canvas().replot();
        for (const double tick : canvas().xAxis->tickVector())
            QVERIFY(canvas().window().x.holds(tick));
        QVERIFY(canvas().xAxis->tickVector().size() >= 2);
    }

    void theSightCanBeDraggedButNotBeyondTheFigure()
    {
        drive().press(Qt::Key_W);
        const Window before = canvas().window();
        drive().dragBox(Qt::RightButton, Qt::NoModifier, {0.5, 0.5}, {0.6, 0.5});
        QVERIFY(canvas().window().x.low < before.x.low);
        QCOMPARE(canvas().window().x.high - canvas().window().x.low, before.x.high - before.x.low);
        for (int i = 0; i < 20; ++i)
            drive().dragBox(Qt::LeftButton, Qt::ShiftModifier, {0.1, 0.5}, {0.9, 0.5});
        QCOMPARE(canvas().window().x.low, m_plot->figure()->x.low);
        drive().press(Qt::Key_D);
        QVERIFY(canvas().window().x.low > m_plot->figure()->x.low);
        drive().press(Qt::Key_A);
        QCOMPARE(canvas().window().x.low, m_plot->figure()->x.low);
    }

    void labelsAreLaidOutAnewOnlyOnceTheWindowRests()
    {
        const FigurePtr before = m_plot->shown();
        drive().turnWheel(drive().placeOf(m_plot->figure()->marks[0]), Qt::NoModifier);
        QCOMPARE(m_plot->shown(), before);
        QTRY_VERIFY(m_plot->shown() != before);
        QVERIFY(!canvas().isMoving());
    }

    void timelinesZoomAlongTimeAndBarsAlongMemory()
    {
        m_plot->setZoomAxes(ZoomAxes::X);
        m_plot->setFigure(shared(timelineFigure(oneStep())));
        drive().press(Qt::Key_W);
        QCOMPARE(canvas().window().y, (Stretch{m_plot->figure()->y.low, m_plot->figure()->y.high}));
        QVERIFY(span() < wholeSpan());
        m_plot->setZoomAxes(ZoomAxes::Both);
        m_plot->setFigure(shared(peakBarsFigure(threeBars())));
        drive().press(Qt::Key_W);
        QCOMPARE(canvas().window().y, (Stretch{-0.5, 2.5}));
        QVERIFY(span() < wholeSpan());
    }

    void axesCanBeLogarithmicWhereAllIsPositive()
    {
        drive().press(Qt::Key_X);
        QCOMPARE(canvas().xAxis->scaleType(), QCPAxis::stLogarithmic);
        QVERIFY(QString::fromStdString(m_plot->shown()->x.label).contains(QStringLiteral("log scale")));
        QVERIFY(m_plot->actions().logX->isChecked());
        drive().turnWheel(drive().placeOf(m_plot->figure()->marks[1]), Qt::NoModifier);
        QVERIFY(canvas().window().x.low > 0);
        drive().press(Qt::Key_X);
        QCOMPARE(canvas().xAxis->scaleType(), QCPAxis::stLinear);
        m_plot->setFigure(shared(timelineFigure(oneStep())));
        QVERIFY(!m_plot->actions().logX->isEnabled());
    }

    void aNewFigureKeepsTheWindowThatWasZoomedTo()
    {
        drive().dragBox(Qt::LeftButton, Qt::NoModifier, {0.2, 0.2}, {0.6, 0.7});
        const Window box = canvas().window();
        TradeoffInput more = fourPolicies();
        more.trials.push_back(predicted("every:8", 24.5, 1.67));
        m_plot->setFigure(shared(tradeoffFigure(more)), FigureCanvas::Keep::Window);
        QCOMPARE(canvas().window(), box);
        QVERIFY(m_plot->actions().back->isEnabled());
        m_plot->setFigure(shared(tradeoffFigure(more)));
        QCOMPARE(canvas().window(), windowOf(*m_plot->figure()));
    }

    void marksAreFoundUnderThePointer()
    {
        const QSignalSpy hovers(m_plot.get(), &FigurePlot::hovered);
        const QSignalSpy clicks(m_plot.get(), &FigurePlot::clicked);
        const QSignalSpy opens(m_plot.get(), &FigurePlot::activated);
        const QPoint place = (drive().placeOf(m_plot->figure()->marks[1]) + QPointF(3, 2)).toPoint();
        drive().moveTo(place, Qt::NoButton, {});
        QTRY_COMPARE(hovers.count(), 1);
        QCOMPARE(hovers[0][0].toString(), QStringLiteral("id all"));
        QTRY_VERIFY(QToolTip::text().contains(QStringLiteral("9.30 GiB peak reserved")));
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::ControlModifier, place);
        QCOMPARE(clicks.last()[0].toString(), QStringLiteral("id all"));
        QCOMPARE(clicks.last()[1].value<Qt::KeyboardModifiers>(), Qt::ControlModifier);
        QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, place);
        QCOMPARE(opens.last()[0].toString(), QStringLiteral("id all"));
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, drive().inPlot({0.05, 0.05}));
        QCOMPARE(clicks.last()[0].toString(), QString());
    }

    void trialsInTheStripAndBarsAreFoundToo()
    {
        TradeoffInput input = fourPolicies();
        input.trials.push_back(outOfMemory("too much", "in forward"));
        m_plot->setFigure(shared(tradeoffFigure(input)));
        const QSignalSpy clicks(m_plot.get(), &FigurePlot::clicked);
        const Pixel symbol = canvas().scene().layout.strip[0].symbol;
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, QPointF(symbol.x, symbol.y).toPoint());
        QCOMPARE(clicks.last()[0].toString(), QStringLiteral("id too much"));
        m_plot->setFigure(shared(peakBarsFigure(threeBars())));
        const Pixel bar = canvas().scene().barBox(0).centre();
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, QPointF(bar.x, bar.y).toPoint());
        QCOMPARE(clicks.last()[0].toString(), QStringLiteral("a"));
    }

    void theKeyboardWalksThroughAllTrials()
    {
        TradeoffInput input = fourPolicies();
        input.trials.push_back(outOfMemory("too much", "in forward"));
        m_plot->setFigure(shared(tradeoffFigure(input)));
        const QSignalSpy clicks(m_plot.get(), &FigurePlot::clicked);
        QStringList walked;
        for (int i = 0; i < 5; ++i) {
            drive().press(Qt::Key_Down);
            drive().press(Qt::Key_Return);
            walked.append(clicks.last()[0].toString());
            QVERIFY(canvas().focused());
            QVERIFY(!canvas().accessibleDescription().isEmpty());
        }
        QCOMPARE(walked,
            (QStringList{QStringLiteral("id none"), QStringLiteral("id every:4"), QStringLiteral("id every:2"),
                QStringLiteral("id all"), QStringLiteral("id too much")}));
        drive().press(Qt::Key_Up);
        drive().press(Qt::Key_Return);
        QCOMPARE(clicks.last()[0].toString(), QStringLiteral("id all"));
        drive().press(Qt::Key_Escape);
        QVERIFY(!canvas().focused());
    }

    void theFocusedMarkHasARing()
    {
        canvas().replot();
        const QImage before = canvas().grab().toImage();
        drive().press(Qt::Key_Right);
        QToolTip::hideText();
        QVERIFY(canvas().grab().toImage() != before);
        drive().press(Qt::Key_Escape);
        QCOMPARE(canvas().grab().toImage(), before);
        m_plot->setSelected({QStringLiteral("id all")});
        QVERIFY(canvas().grab().toImage() != before);
    }

    void aLassoTakesTheMarksInIt()
    {
        const QSignalSpy lassos(m_plot.get(), &FigurePlot::lassoed);
        drive().press(Qt::Key_L);
        QVERIFY(m_plot->actions().lasso->isChecked());
        drive().lassoRound(m_plot->figure()->marks[0], Qt::NoModifier);
        QCOMPARE(lassos.last()[0].toStringList(), QStringList{QStringLiteral("id none")});
        drive().press(Qt::Key_L);
        drive().lassoRound(m_plot->figure()->marks[1], Qt::AltModifier);
        QCOMPARE(lassos.last()[0].toStringList(), QStringList{QStringLiteral("id all")});
        QCOMPARE(canvas().window(), windowOf(*m_plot->figure()));
    }

    void aLineCanBeDragged()
    {
        m_plot->gestures().setDraggable(0, [](double value) { return QString::number(value); });
        const QSignalSpy drops(&m_plot->gestures(), &FigureGestures::referenceDropped);
        const double x = canvas().xAxis->coordToPixel(24);
        const int y = static_cast<int>(canvas().scene().layout.plot.centre().y);
        const int there = static_cast<int>(canvas().xAxis->coordToPixel(12));
        drive().dragTo(Qt::LeftButton, {}, {static_cast<int>(x), y}, {there, y});
        QCOMPARE(drops.count(), 1);
        QVERIFY(std::abs(drops[0][0].toDouble() - 12) < 0.1);
        QCOMPARE(canvas().window(), windowOf(*m_plot->figure()));
    }

    void itSaysWhatItIs()
    {
        QCOMPARE(m_plot->accessibleName(), QStringLiteral("Peak memory against speed"));
        QVERIFY(m_plot->accessibleDescription().contains(QStringLiteral("4 trials")));
        for (const QAction* action : m_plot->actions().all)
            QVERIFY(action->isSeparator() || !action->shortcut().isEmpty());
    }

    void aFigureWithoutDataSaysWhy()
    {
        m_plot->setFigure(shared(tradeoffFigure({})));
        QVERIFY(!canvas().scene().layout.emptyText.empty());
        QVERIFY(!m_plot->actions().zoomIn->isEnabled());
        drive().turnWheel(QPointF(100, 100), Qt::NoModifier);
        drive().press(Qt::Key_Right);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, QPoint(100, 100));
        QVERIFY(!canvas().isMoving());
    }

    void aRoomTooLowIsScrolled()
    {
        TradeoffInput input = fourPolicies();
        for (int i = 0; i < 8; ++i)
            input.trials.push_back(outOfMemory("every:" + std::to_string(i), "in forward"));
        m_plot->setFigure(shared(tradeoffFigure(input)));
        m_plot->resize(800, 250);
        QTRY_VERIFY(canvas().height() > 250);
        QVERIFY(canvas().scene().layout.height <= canvas().height());
        m_plot->resize(800, 900);
        QTRY_COMPARE(canvas().height(), 900);
        QVERIFY(canvas().scene().layout.height <= 900);
        QVERIFY(canvas().scene().layout.height > 870);
    }

private:
    FigureCanvas& canvas() { return m_plot->canvas(); }
    double span() { return canvas().window().x.high - canvas().window().x.low; }
    double wholeSpan() { return m_plot->figure()->x.high - m_plot->figure()->x.low; }
    PlotDriver drive() { return PlotDriver(*m_plot); }

    Theme m_theme;
    std::unique_ptr<FigurePlot> m_plot;
};

HEADROOM_UI_TEST(FigurePlotTest)

} // namespace headroom::ui

#include "FigurePlotTest.moc"
