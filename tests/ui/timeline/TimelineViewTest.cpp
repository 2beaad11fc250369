// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineView.h"

#include "experiments/figures/QuantityText.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/timeline/TracedWorkspace.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QSignalSpy>

namespace headroom::ui {
namespace {

using figures::TimeWindow;

/// A view with the first trial selected, and what a user does to it.
struct Shown {
    TracedWorkspace workspace;
    Theme theme;
    Selection selection;
    TimelineView view{theme, selection};

    Shown()
    {
        view.resize(1200, 700);
        view.show();
        view.setResults(workspace.results());
    }

    TimelineStack& stack() { return view.stack(); }
    TimelineNavigator& navigator() { return view.stack().navigator(); }
    TimelineLane& lane(int index = 0) { return *view.stack().lanes().at(index); }
    FigureCanvas& canvas(int index = 0) { return lane(index).canvas(); }
    bool isComplete() { return stack().current() && stack().current()->summary && stack().source().isIdle(); }
    QPoint place(double shareX, double shareY = 0.5)
    {
        const figures::Box& plot = canvas().scene().layout.plot;
        return {static_cast<int>(plot.x + shareX * plot.width), static_cast<int>(plot.y + shareY * plot.height)};
    }

    void wheel(const QPoint& at, int notches, Qt::KeyboardModifiers modifiers = {})
    {
        QWheelEvent event(
            at, canvas().mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&canvas(), &event);
    }

    void drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers, const QPoint& from, const QPoint& to)
    {
        QTest::mousePress(&canvas(), button, modifiers, from);
        for (const QPoint& at : {(from + to) / 2, to}) {
            QMouseEvent event(QEvent::MouseMove, at, canvas().mapToGlobal(at), Qt::NoButton, button, modifiers);
            QCoreApplication::sendEvent(&canvas(), &event);
        }
        QTest::mouseRelease(&canvas(), button, modifiers, to);
    }
};

QString sized(Bytes bytes)
{
    const figures::MemoryUnit unit = figures::memoryUnitFor(bytes);
    return QString::fromStdString(figures::tableText(bytes, unit) + " " + unit.name);
}

} // namespace

class TimelineViewTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_shown.reset(); }

    void thePeakIsMarkedWithItsValue();
    void theEmptyViewSaysWhatToDo();
    void thePanelSaysWhatThePeakConsistsOf();
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
    void anotherSelectionShowsTheOtherTrial();
    void severalTrialsShareTimeAndCursor();
    void trialsCanBeAlignedAtAPhase();
    void aTrialWithoutATraceSaysHowToGetOne();
    void aWorkspaceThatVanishesIsASentence();
    void everyWindowArrivesExactlyWhileItMoves();
    void theTableHasThePeakOfEachPhase();
    void theLayoutIsRemembered();
    void modelsKeepTheirPromises();

private:
    std::unique_ptr<Shown> m_shown;
};

void TimelineViewTest::init()
{
    UiTest::init();
    m_shown = std::make_unique<Shown>();
    m_shown->selection.select({m_shown->workspace.trial(0)});
    QTRY_VERIFY(m_shown->isComplete());
}

void TimelineViewTest::thePeakIsMarkedWithItsValue()
{
    const trace::Peak peak = m_shown->workspace.timeline(0).peak(trace::Counter::Allocated);
    const figures::Figure& figure = *m_shown->lane().plot().figure();
    QCOMPARE(figure.marks.size(), std::size_t(1));
    QVERIFY(figure.marks[0].label.find(figures::sizeText(peak.bytes)) != std::string::npos);
    QCOMPARE(m_shown->stack().current()->window->lanes[0].peak.timeNs, peak.timeNs);
}

void TimelineViewTest::theEmptyViewSaysWhatToDo()
{
    auto* empty = m_shown->view.findChild<QLabel*>(QStringLiteral("timelineEmpty"));
    m_shown->selection.clear();
    QVERIFY(empty->isVisible());
    QVERIFY(empty->text().contains(QStringLiteral("Select a trial")));
    m_shown->view.setResults(nullptr);
    QVERIFY(empty->text().contains(QStringLiteral("once an experiment is open")));
}

void TimelineViewTest::thePanelSaysWhatThePeakConsistsOf()
{
    auto* table = m_shown->view.findChild<QTableView*>(QStringLiteral("peakTable"));
    const QAbstractItemModel& model = *table->model();
    const Bytes peak = m_shown->workspace.timeline(0).peak(trace::Counter::Allocated).bytes;
    Bytes sum = 0;
    int row = 0;
    for (; model.index(row, 0).data().toString() != QStringLiteral("Allocated"); ++row)
        sum += model.index(row, 0).data(PeakPartsModel::kBytesRole).toLongLong();
    QVERIFY(row > 1);
    QCOMPARE(sum, peak);
    QCOMPARE(model.index(row, 0).data(PeakPartsModel::kBytesRole).toLongLong(), peak);
    QCOMPARE(model.index(row, PeakPartsModel::Share).data().toString(), QStringLiteral("100.0"));
    const auto* sentence = m_shown->view.findChild<QLabel*>(QStringLiteral("peakSentence"));
    QVERIFY(sentence->text().contains(QStringLiteral("step 3")));
    QVERIFY2(!sentence->text().contains(QStringLiteral("predicted")), "it was measured");
}

void TimelineViewTest::theWheelKeepsTheTimeUnderThePointer()
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

void TimelineViewTest::ctrlIsFinerAndShiftFaster()
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

void TimelineViewTest::keysZoomPanAndFit()
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

void TimelineViewTest::rightAndShiftDragPan()
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

void TimelineViewTest::leftAndMiddleDragZoomToARange()
{
    for (const Qt::MouseButton button : {Qt::LeftButton, Qt::MiddleButton}) {
        m_shown->navigator().fit();
        const std::int64_t from = m_shown->lane().timeAt(m_shown->place(0.2).x());
        const std::int64_t to = m_shown->lane().timeAt(m_shown->place(0.5).x());
        m_shown->drag(button, {}, m_shown->place(0.5), m_shown->place(0.2));
        QCOMPARE(m_shown->navigator().window(), (TimeWindow{from, to + 1}));
    }
}

void TimelineViewTest::doubleClickFits()
{
    m_shown->wheel(m_shown->place(0.5), 6);
    QTest::mouseDClick(&m_shown->canvas(), Qt::LeftButton, {}, m_shown->place(0.5));
    QVERIFY(m_shown->navigator().isWhole());
}

void TimelineViewTest::historyGoesBackAndForward()
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

void TimelineViewTest::jumpingToThePeakPutsTheCursorOnIt()
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

void TimelineViewTest::phasesAreSteppedThrough()
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

void TimelineViewTest::theSelectionIsCentredThenFitted()
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

void TimelineViewTest::theCursorReadsWhatTheTraceHolds()
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

void TimelineViewTest::arrowKeysMoveTheCursor()
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

void TimelineViewTest::ctrlDragMeasuresARange()
{
    m_shown->drag(Qt::LeftButton, Qt::ControlModifier, m_shown->place(0.2), m_shown->place(0.6));
    QVERIFY(m_shown->stack().range().has_value());
    QVERIFY(m_shown->navigator().isWhole());
    const TimeWindow range = *m_shown->stack().range();
    const Bytes most = m_shown->workspace.timeline(0).peak(trace::Counter::Allocated, range.beginNs, range.endNs).bytes;
    QTRY_COMPARE(m_shown->view.readout().text(1, 8), sized(most));
    QVERIFY(!m_shown->view.readout().text(1, 7).isEmpty());
}

void TimelineViewTest::anotherSelectionShowsTheOtherTrial()
{
    m_shown->navigator().show({0, 2'000});
    m_shown->selection.select({m_shown->workspace.trial(1)});
    QTRY_VERIFY(m_shown->isComplete());
    QCOMPARE(m_shown->stack().lanes().size(), 1);
    QCOMPARE(m_shown->navigator().window().endNs, m_shown->workspace.lengthNs(1));
    QCOMPARE(m_shown->stack().current()->summary->peak.peak.bytes,
        m_shown->workspace.timeline(1).peak(trace::Counter::Allocated).bytes);
}

void TimelineViewTest::severalTrialsShareTimeAndCursor()
{
    m_shown->selection.toggle(m_shown->workspace.trial(1));
    QTRY_VERIFY(m_shown->isComplete());
    QTRY_COMPARE(m_shown->stack().lanes().size(), 2);
    QCOMPARE(
        m_shown->navigator().whole().endNs, std::max(m_shown->workspace.lengthNs(0), m_shown->workspace.lengthNs(1)));
    const std::int64_t at = m_shown->workspace.lengthNs(0) / 3;
    m_shown->stack().setCursor(at);
    for (int i = 0; i < 2; ++i)
        QTRY_COMPARE(m_shown->view.readout().text(i + 1, 3),
            sized(m_shown->workspace.timeline(static_cast<std::size_t>(i)).at(at).allocated));
    QTRY_VERIFY(std::abs(m_shown->lane(0).pxOf(at) - m_shown->lane(1).pxOf(at)) < 1);
}

void TimelineViewTest::trialsCanBeAlignedAtAPhase()
{
    m_shown->selection.toggle(m_shown->workspace.trial(1));
    QTRY_VERIFY(m_shown->isComplete());
    QTRY_COMPARE(m_shown->stack().commonPhases(), (std::vector<std::string>{"forward", "backward"}));
    m_shown->stack().alignAt("backward");
    QTRY_VERIFY(m_shown->stack().source().isIdle());
    const std::int64_t first = m_shown->workspace.phases(0)[1].beginNs - m_shown->lane(0).shiftNs();
    const std::int64_t second = m_shown->workspace.phases(1)[1].beginNs - m_shown->lane(1).shiftNs();
    QCOMPARE(first, second);
    QTRY_VERIFY(std::abs(m_shown->lane(0).pxOf(first) - m_shown->lane(1).pxOf(second)) < 1);
}

void TimelineViewTest::aTrialWithoutATraceSaysHowToGetOne()
{
    m_shown->selection.select({m_shown->workspace.trial(2)});
    QTRY_VERIFY(m_shown->lane().plot().figure()->emptyText.find("--trace") != std::string::npos);
    QVERIFY(!m_shown->view.actions().peak->isEnabled());
    QTest::keyClick(&m_shown->canvas(), Qt::Key_P);
}

void TimelineViewTest::aWorkspaceThatVanishesIsASentence()
{
    QVERIFY(QFile::remove(QString::fromStdString(m_shown->workspace.path())));
    m_shown->wheel(m_shown->place(0.5), 8);
    QTRY_VERIFY(m_shown->lane().plot().figure()->emptyText.find("not there any more") != std::string::npos);
    m_shown->wheel(m_shown->place(0.5), 8);
    m_shown->stack().setCursor(10);
    QTRY_VERIFY(m_shown->stack().source().isIdle());
}

void TimelineViewTest::everyWindowArrivesExactlyWhileItMoves()
{
    for (int i = 0; i < 30; ++i) {
        m_shown->wheel(m_shown->place(0.4), i < 20 ? 1 : -1);
        QCoreApplication::processEvents();
    }
    m_shown->drag(Qt::RightButton, {}, m_shown->place(0.9), m_shown->place(0.1));
    QTRY_VERIFY(m_shown->stack().source().isIdle());
    const TimeWindow visible = m_shown->navigator().window();
    QTRY_VERIFY(m_shown->stack().current()->window->window.beginNs <= visible.beginNs
        && m_shown->stack().current()->window->window.endNs >= visible.endNs);
    const figures::Window& window = m_shown->canvas().window();
    QVERIFY(std::abs(m_shown->lane().pxOf(visible.beginNs) - m_shown->canvas().scene().layout.plot.x) < 1);
    QVERIFY(window.x.low < window.x.high);
}

void TimelineViewTest::theTableHasThePeakOfEachPhase()
{
    const figures::Table& table = m_shown->lane().plot().figure()->table;
    const auto forward =
        m_shown->workspace.timeline(0).peak(trace::Counter::Allocated, 0, m_shown->workspace.phases(0)[0].endNs);
    const auto unit = figures::memoryUnitFor(m_shown->workspace.timeline(0).peak(trace::Counter::Allocated).bytes);
    QTRY_COMPARE(m_shown->lane().plot().figure()->table.rows[2][3], figures::tableText(forward.bytes, unit));
    QCOMPARE(table.rows[2][0], std::string("forward, step 3"));
    m_shown->view.actions().table->trigger();
    QVERIFY(m_shown->lane().plot().showsTable());
}

void TimelineViewTest::theLayoutIsRemembered()
{
    m_shown->view.actions().contents->trigger();
    const QVariantMap state = m_shown->view.state();
    m_shown->view.actions().contents->trigger();
    QVERIFY(m_shown->view.findChild<QWidget*>(QStringLiteral("peakPanel"))->isVisible());
    m_shown->view.restore(state);
    QVERIFY(!m_shown->view.findChild<QWidget*>(QStringLiteral("peakPanel"))->isVisible());
}

void TimelineViewTest::modelsKeepTheirPromises()
{
    PeakPartsModel model(m_shown->theme);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setContents(m_shown->stack().current()->summary->peak);
    QVERIFY(model.rowCount() > 2);
    model.setContents(std::nullopt);
    QCOMPARE(model.rowCount(), 0);
}

HEADROOM_UI_TEST(TimelineViewTest)

} // namespace headroom::ui

#include "TimelineViewTest.moc"
