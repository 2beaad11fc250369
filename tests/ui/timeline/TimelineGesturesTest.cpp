// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/timeline/ShownTimeline.h"

#include <memory>

namespace headroom::ui {

using figures::TimeWindow;

class TimelineGesturesTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_shown.reset(); }

    void theWheelKeepsTheTimeUnderThePointer();
    void ctrlIsFinerAndShiftFaster();
    void keysZoomPanAndFit();
    void rightAndShiftDragPan();
    void leftAndMiddleDragZoomToARange();
    void doubleClickFits();
    void historyGoesBackAndForward();
    void jumpingToThePeakPutsTheCursorOnIt();
    void phasesAreSteppedThrough();
    void theSelectionIsCentredThenFitted();
    void theCursorReadsWhatTheTraceHolds();
    void arrowKeysMoveTheCursor();
    void ctrlDragMeasuresARange();

private:
    std::unique_ptr<ShownTimeline> m_shown;
};

void TimelineGesturesTest::init()
{
    UiTest::init();
    m_shown = std::make_unique<ShownTimeline>();
    m_shown->show(0);
}

void TimelineGesturesTest::theWheelKeepsTheTimeUnderThePointer()
{
    const QPoint at = m_shown->place(0.3);
    const std::int64_t before = m_shown->lane().timeAt(at.x());
    m_shown->wheel(at, 5);
    const TimeWindow window = m_shown->navigator().window();
    QVERIFY(window.lengthNs() < m_shown->navigator().whole().lengthNs() / 2);
    const auto px = static_cast<double>(window.lengthNs()) / m_shown->canvas().scene().layout.plot.width;
    QVERIFY(std::abs(static_cast<double>(m_shown->lane().timeAt(at.x()) - before)) <= px + 1);
    QTRY_VERIFY(m_shown->stack().source().isIdle());
    QVERIFY(std::abs(static_cast<double>(m_shown->lane().timeAt(at.x()) - before)) <= px + 1);
}

void TimelineGesturesTest::ctrlIsFinerAndShiftFaster()
{
    const auto lengthAfter = [&](Qt::KeyboardModifiers modifiers) {
        m_shown->navigator().fit();
        m_shown->wheel(m_shown->place(0.5), 1, modifiers);
        return m_shown->navigator().window().lengthNs();
    };
    const std::int64_t usual = lengthAfter({});
    QVERIFY(lengthAfter(Qt::ControlModifier) > usual);
    QVERIFY(lengthAfter(Qt::ShiftModifier) < usual);
}

void TimelineGesturesTest::keysZoomPanAndFit()
{
    m_shown->canvas().setFocus();
    const TimeWindow whole = m_shown->navigator().whole();
    QTest::keyClick(&m_shown->canvas(), Qt::Key_W);
    const TimeWindow nearer = m_shown->navigator().window();
    QVERIFY(nearer.lengthNs() < whole.lengthNs());
    QTest::keyClick(&m_shown->canvas(), Qt::Key_D);
    QVERIFY(m_shown->navigator().window().beginNs > nearer.beginNs);
    QTest::keyClick(&m_shown->canvas(), Qt::Key_A);
    QCOMPARE(m_shown->navigator().window(), nearer);
    QTest::keyClick(&m_shown->canvas(), Qt::Key_S);
    QVERIFY(m_shown->navigator().window().lengthNs() > nearer.lengthNs());
    QTest::keyClick(&m_shown->canvas(), Qt::Key_W);
    QTest::keyClick(&m_shown->canvas(), Qt::Key_0);
    QCOMPARE(m_shown->navigator().window(), whole);
}

void TimelineGesturesTest::rightAndShiftDragPan()
{
    m_shown->wheel(m_shown->place(0.5), 6);
    const TimeWindow before = m_shown->navigator().window();
    m_shown->drag(Qt::RightButton, {}, m_shown->place(0.6), m_shown->place(0.4));
    const TimeWindow after = m_shown->navigator().window();
    QCOMPARE(after.lengthNs(), before.lengthNs());
    const double moved = static_cast<double>(after.beginNs - before.beginNs) / static_cast<double>(before.lengthNs());
    QVERIFY(std::abs(moved - 0.2) < 0.01);
    m_shown->drag(Qt::LeftButton, Qt::ShiftModifier, m_shown->place(0.4), m_shown->place(0.6));
    QVERIFY(std::abs(m_shown->navigator().window().beginNs - before.beginNs) < before.lengthNs() / 100);
}

void TimelineGesturesTest::leftAndMiddleDragZoomToARange()
{
    for (const Qt::MouseButton button : {Qt::LeftButton, Qt::MiddleButton}) {
        m_shown->navigator().fit();
        const std::int64_t from = m_shown->lane().timeAt(m_shown->place(0.2).x());
        const std::int64_t to = m_shown->lane().timeAt(m_shown->place(0.5).x());
        m_shown->drag(button, {}, m_shown->place(0.5), m_shown->place(0.2));
        QCOMPARE(m_shown->navigator().window(), (TimeWindow{from, to + 1}));
    }
}

void TimelineGesturesTest::doubleClickFits()
{
    m_shown->wheel(m_shown->place(0.5), 6);
    QTest::mouseDClick(&m_shown->canvas(), Qt::LeftButton, {}, m_shown->place(0.5));
    QVERIFY(m_shown->navigator().isWhole());
}

void TimelineGesturesTest::historyGoesBackAndForward()
{
    m_shown->canvas().setFocus();
    const TimeWindow whole = m_shown->navigator().window();
    m_shown->drag(Qt::LeftButton, {}, m_shown->place(0.2), m_shown->place(0.6));
    const TimeWindow first = m_shown->navigator().window();
    m_shown->wheel(m_shown->place(0.5), 1);
    m_shown->wheel(m_shown->place(0.5), 1);
    const TimeWindow second = m_shown->navigator().window();
    QTest::keyClick(&m_shown->canvas(), Qt::Key_Z);
    QCOMPARE(m_shown->navigator().window(), first);
    QTest::keyClick(&m_shown->canvas(), Qt::Key_Backspace);
    QCOMPARE(m_shown->navigator().window(), whole);
    QVERIFY(!m_shown->view.actions().back->isEnabled());
    QTest::keyClick(&m_shown->canvas(), Qt::Key_Z, Qt::ShiftModifier);
    QTest::keyClick(&m_shown->canvas(), Qt::Key_Z, Qt::ShiftModifier);
    QCOMPARE(m_shown->navigator().window(), second);
}

void TimelineGesturesTest::jumpingToThePeakPutsTheCursorOnIt()
{
    m_shown->canvas().setFocus();
    const std::int64_t peak = m_shown->workspace.timeline(0).peak(trace::Counter::Allocated).timeNs;
    m_shown->navigator().show({0, 2'000});
    QTest::keyClick(&m_shown->canvas(), Qt::Key_P);
    const TimeWindow window = m_shown->navigator().window();
    QVERIFY(window.beginNs <= peak && peak < window.endNs);
    QCOMPARE(*m_shown->stack().cursor(), peak);
    QTRY_COMPARE(m_shown->view.readout().text(1, 3),
        sized(m_shown->workspace.timeline(0).peak(trace::Counter::Allocated).bytes));
}

void TimelineGesturesTest::phasesAreSteppedThrough()
{
    m_shown->canvas().setFocus();
    const std::int64_t backward = m_shown->workspace.phases(0)[1].beginNs;
    QTest::keyClick(&m_shown->canvas(), Qt::Key_Period);
    QCOMPARE(*m_shown->stack().cursor(), backward);
    QCOMPARE(m_shown->view.readout().text(1, 2), QStringLiteral("backward, step 3"));
    QTest::keyClick(&m_shown->canvas(), Qt::Key_Period);
    QCOMPARE(*m_shown->stack().cursor(), backward);
    QTest::keyClick(&m_shown->canvas(), Qt::Key_Comma);
    QCOMPARE(*m_shown->stack().cursor(), std::int64_t(0));
}

void TimelineGesturesTest::theSelectionIsCentredThenFitted()
{
    m_shown->canvas().setFocus();
    const std::int64_t length = m_shown->workspace.lengthNs(0);
    m_shown->navigator().show({length / 4, length / 2});
    m_shown->stack().setRange({length / 3, length / 3 + length / 50});
    QTest::keyClick(&m_shown->canvas(), Qt::Key_F);
    const TimeWindow centred = m_shown->navigator().window();
    QVERIFY(std::abs(centred.lengthNs() - length / 4) <= 1);
    QVERIFY(std::abs(centred.beginNs + centred.lengthNs() / 2 - (length / 3 + length / 100)) <= 2);
    QTest::keyClick(&m_shown->canvas(), Qt::Key_F);
    QVERIFY(m_shown->navigator().window().lengthNs() < length / 30);
}

void TimelineGesturesTest::theCursorReadsWhatTheTraceHolds()
{
    for (const double share : {0.1, 0.37, 0.8}) {
        QTest::mouseMove(&m_shown->canvas(), m_shown->place(share));
        QMouseEvent move(QEvent::MouseMove, m_shown->place(share), m_shown->canvas().mapToGlobal(m_shown->place(share)),
            Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&m_shown->canvas(), &move);
        const std::int64_t at = *m_shown->stack().cursor();
        QCOMPARE(at, m_shown->lane().timeAt(m_shown->place(share).x()));
        const trace::MemoryCounters counters = m_shown->workspace.timeline(0).at(at);
        QTRY_COMPARE(m_shown->view.readout().text(1, 3), sized(counters.allocated));
        QCOMPARE(m_shown->view.readout().text(1, 4), sized(counters.reserved));
    }
}

void TimelineGesturesTest::arrowKeysMoveTheCursor()
{
    m_shown->canvas().setFocus();
    m_shown->stack().setCursor(m_shown->workspace.lengthNs(0) / 2);
    const std::int64_t before = *m_shown->stack().cursor();
    QTest::keyClick(&m_shown->canvas(), Qt::Key_Right);
    const std::int64_t step = *m_shown->stack().cursor() - before;
    QVERIFY(step > 0);
    QTest::keyClick(&m_shown->canvas(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(*m_shown->stack().cursor(), before - 9 * step);
    QTest::keyClick(&m_shown->canvas(), Qt::Key_Escape);
    QVERIFY(!m_shown->stack().cursor());
}

void TimelineGesturesTest::ctrlDragMeasuresARange()
{
    m_shown->drag(Qt::LeftButton, Qt::ControlModifier, m_shown->place(0.2), m_shown->place(0.6));
    QVERIFY(m_shown->stack().range().has_value());
    QVERIFY(m_shown->navigator().isWhole());
    const TimeWindow range = *m_shown->stack().range();
    const Bytes most = m_shown->workspace.timeline(0).peak(trace::Counter::Allocated, range.beginNs, range.endNs).bytes;
    QTRY_COMPARE(m_shown->view.readout().text(1, 8), sized(most));
    QVERIFY(!m_shown->view.readout().text(1, 7).isEmpty());
}

HEADROOM_UI_TEST(TimelineGesturesTest)

} // namespace headroom::ui

#include "TimelineGesturesTest.moc"
