// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/timeline/ShownTimeline.h"

#include <QAbstractItemModelTester>
#include <QFile>

#include <memory>

namespace headroom::ui {

using figures::TimeWindow;

class TimelineViewTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_shown.reset(); }

    void thePeakIsMarkedWithItsValue();
    void theEmptyViewSaysWhatToDo();
    void thePanelSaysWhatThePeakConsistsOf();
    void anotherSelectionShowsTheOtherTrial();
    void whatIsLookedAtStaysWhileOtherTrialsGetResults();
    void severalTrialsShareTimeAndCursor();
    void theReadoutStaysBesideTheCursorInAWiderView();
    void trialsCanBeAlignedAtAPhase();
    void aTrialWithoutATraceSaysHowToGetOne();
    void aWorkspaceThatVanishesIsASentence();
    void everyWindowArrivesExactlyWhileItMoves();
    void theTableHasThePeakOfEachPhase();
    void theLayoutIsRemembered();
    void modelsKeepTheirPromises();

private:
    std::unique_ptr<ShownTimeline> m_shown;
};

void TimelineViewTest::init()
{
    UiTest::init();
    m_shown = std::make_unique<ShownTimeline>();
    m_shown->show(0);
}

void TimelineViewTest::thePeakIsMarkedWithItsValue()
{
    const trace::Peak peak = m_shown->workspace.timeline(0).peak(trace::Counter::Allocated);
    const figures::Figure& figure = *m_shown->lane().plot().figure();
    QCOMPARE(figure.marks.size(), std::size_t(1));
    QVERIFY(figure.marks[0].label.find(sizeText(peak.bytes)) != std::string::npos);
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
    QCOMPARE(model.index(row, PeakPartsModel::Share).data().toString(), QStringLiteral("100.0 %"));
    const auto* sentence = m_shown->view.findChild<QLabel*>(QStringLiteral("peakSentence"));
    QVERIFY(sentence->text().contains(QStringLiteral("step 3")));
    QVERIFY2(!sentence->text().contains(QStringLiteral("predicted")), "it was measured");
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

void TimelineViewTest::whatIsLookedAtStaysWhileOtherTrialsGetResults()
{
    m_shown->navigator().show({1'000, 3'000});
    m_shown->stack().setCursor(2'000);
    const figures::TimeWindow window = m_shown->navigator().window();
    report::ReportContent content = m_shown->workspace.results()->content();
    content.trials[2].result.reason = "it ended meanwhile";
    m_shown->view.setResults(std::make_shared<const ResultSet>(m_shown->workspace.path(), content));
    QCOMPARE(m_shown->navigator().window(), window);
    QCOMPARE(m_shown->stack().cursor(), std::optional<std::int64_t>(2'000));
    content.trials[0].result.reason = "it was run again";
    m_shown->view.setResults(std::make_shared<const ResultSet>(m_shown->workspace.path(), content));
    QVERIFY(!m_shown->stack().current()->summary);
    QTRY_VERIFY(m_shown->isComplete());
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

void TimelineViewTest::theReadoutStaysBesideTheCursorInAWiderView()
{
    const std::int64_t at = m_shown->workspace.lengthNs(0) * 7 / 10;
    m_shown->stack().setCursor(at);
    const TimelineReadout& readout = m_shown->view.readout();
    const auto distance = [&] {
        const double cursor = m_shown->canvas().mapTo(&m_shown->stack(), QPoint(0, 0)).x() + m_shown->lane().pxOf(at);
        return std::abs(cursor - readout.geometry().right());
    };
    QTRY_VERIFY(readout.isVisible() && distance() < 20);
    m_shown->view.resize(1800, 700);
    QTRY_VERIFY(m_shown->canvas().width() > 1000);
    QTRY_VERIFY2(distance() < 20, qPrintable(QString::number(distance())));
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
    const auto unit = axisUnitFor(m_shown->workspace.timeline(0).peak(trace::Counter::Allocated).bytes);
    QTRY_COMPARE(m_shown->lane().plot().figure()->table.rows[2][3], inUnit(forward.bytes, unit));
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
