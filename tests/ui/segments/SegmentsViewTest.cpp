// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/SegmentsView.h"

#include "experiments/archive/StoredExperiment.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/recordings/ImportedWorkspace.h"
#include "ui/segments/SegmentMap.h"
#include "ui/segments/SegmentTableModel.h"
#include "ui/segments/SegmentWords.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>

namespace headroom::ui {

/// An imported run that died with hidden states that keep large segments.
class SegmentsViewTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void theMomentMemoryRanOutIsShownFirst()
    {
        SegmentsView view(m_theme);
        show(view);
        QCOMPARE(view.moment()->state.events, view.moment()->trace->events);
        QCOMPARE(view.moment()->event->action, trace::Action::OutOfMemory);
        const trace::SegmentSums& sums = view.moment()->sums;
        QCOMPARE(sums.reservedBytes, view.moment()->state.counters.reserved);
        QCOMPARE(sums.allocatedBytes + sums.stuckBytes + sums.releasableBytes, sums.reservedBytes);
        QVERIFY(sums.stuckBytes > 0);
        QVERIFY2(view.sentence().contains(QStringLiteral("stuck in gaps")), qPrintable(view.sentence()));
    }

    void whoKeepsASegmentIsSaid()
    {
        SegmentsView view(m_theme);
        show(view);
        QTest::keyClick(&view.map(), Qt::Key_Right);
        const auto chosen = view.map().chosen();
        QVERIFY(chosen);
        QTest::keyClick(&view.map(), Qt::Key_Home);
        std::size_t alive = 0;
        while (view.moment()->uses[alive].blocks != 1 || view.moment()->uses[alive].gaps.empty())
            ++alive;
        view.map().choose(alive);
        const QString words = view.findChild<QLabel*>(QStringLiteral("segmentsChosen"))->text();
        QVERIFY2(words.contains(QStringLiteral("One block of ")), qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("model.py:99 forward")), qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("since ")), qPrintable(words));
        QCOMPARE(view.map().accessibleDescription(), words);
        const auto* blocks = view.findChild<QTableView*>(QStringLiteral("segmentBlocks"));
        QCOMPARE(blocks->model()->rowCount(), static_cast<int>(1 + view.moment()->uses[alive].gaps.size()));
    }

    void theArrowsReachEverySegment()
    {
        SegmentsView view(m_theme);
        show(view);
        std::set<std::size_t> reached;
        QTest::keyClick(&view.map(), Qt::Key_Home);
        for (std::size_t i = 0; i < view.moment()->state.segments.size(); ++i) {
            reached.insert(*view.map().chosen());
            QTest::keyClick(&view.map(), Qt::Key_Right);
        }
        QCOMPARE(reached.size(), view.moment()->state.segments.size());
        QTest::keyClick(&view.map(), Qt::Key_Escape);
        QVERIFY(!view.map().chosen());
    }

    void theSliderAndTheTimelineChooseTheMoment()
    {
        SegmentsView view(m_theme);
        show(view);
        const QSignalSpy chosen(&view, &SegmentsView::timeChosen);
        view.findChild<QSlider*>(QStringLiteral("segmentsMoment"))->setValue(40);
        QTRY_COMPARE(view.moment()->state.events, std::uint64_t(40));
        QTRY_COMPARE(chosen.size(), 1);
        QCOMPARE(chosen.front().front().toLongLong(), view.moment()->timeNs());
        view.showTime(view.moment()->timeNs()); // the timeline's answer
        QTest::qWait(50);
        QCOMPARE(view.moment()->state.events, std::uint64_t(40));
        view.showTime(0);
        QTRY_VERIFY(view.moment()->state.events < 5);
        QCOMPARE(chosen.size(), 1);
        for (QAction* action : view.actions())
            if (action != nullptr && action->objectName() == QStringLiteral("segmentsPeak"))
                action->trigger();
        QTRY_COMPARE(view.moment()->state.events, view.moment()->trace->eventsAtReservedPeak);
    }

    void theTableSaysTheSameAndChoosesToo()
    {
        SegmentsView view(m_theme);
        show(view);
        auto* table = view.findChild<QTableView*>(QStringLiteral("segmentTable"));
        new QAbstractItemModelTester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest, &view);
        for (QAction* action : view.actions())
            if (action != nullptr && action->objectName() == QStringLiteral("segmentsTable"))
                action->trigger();
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), static_cast<int>(view.moment()->state.segments.size()));
        const auto stuckIn = [&](int row) {
            return table->model()->index(row, SegmentTableModel::Stuck).data(SegmentTableModel::kSortRole).toLongLong();
        };
        for (int row = 1; row < table->model()->rowCount(); ++row)
            QVERIFY(stuckIn(row - 1) >= stuckIn(row));
        table->selectRow(2);
        QVERIFY(view.map().chosen());
        QCOMPARE(view.moment()->uses[*view.map().chosen()].stuckBytes(), stuckIn(2));
    }

    void aTrialWithoutASegmentSaysSo()
    {
        SegmentsView view(m_theme);
        view.resize(1000, 600);
        view.show();
        SegmentSubject gone = subject();
        gone.trial.trialId = "0000";
        view.setSubject(gone);
        QTRY_COMPARE(view.sentence(), QStringLiteral("This trial is not in the workspace any more."));
        view.setSubject(std::nullopt);
        QVERIFY(view.sentence().contains(QStringLiteral("select a trial")));
    }

private:
    SegmentSubject subject() const
    {
        auto workspace = experiments::openForReading(m_workspace.path());
        const std::int64_t experiment = m_workspace.imported().number;
        return {{m_workspace.path(), experiment, workspace.trials(experiment).front().trialId, "run", 1}, 0};
    }

    void show(SegmentsView& view)
    {
        view.resize(1000, 600);
        view.show();
        view.setSubject(subject());
        QTRY_VERIFY(view.moment());
    }

    Theme m_theme;
    ImportedWorkspace m_workspace;
};

HEADROOM_UI_TEST(SegmentsViewTest)

} // namespace headroom::ui

#include "SegmentsViewTest.moc"
