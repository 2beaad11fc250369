// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/CompareView.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/timeline/TracedWorkspace.h"

#include <QComboBox>
#include <QLabel>
#include <QTreeWidget>

namespace headroom::ui {

class CompareViewTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_theme = std::make_unique<Theme>();
        m_selection = std::make_unique<Selection>();
        m_workspace = std::make_unique<TracedWorkspace>();
        m_view = std::make_unique<CompareView>(*m_theme, *m_selection);
        m_view->resize(1200, 700);
        m_view->show();
        m_view->setResults(m_workspace->results());
    }

    void cleanup()
    {
        m_view.reset();
        m_workspace.reset();
    }

    void oneTrialIsNoComparison()
    {
        m_selection->select({m_workspace->trial(0)});
        QVERIFY(m_view->findChild<QLabel*>(QStringLiteral("compareEmpty"))->isVisible());
        m_selection->clear();
        QVERIFY(m_view->findChild<QLabel*>(QStringLiteral("compareEmpty"))->isVisible());
    }

    void curvesLieOverEachOtherAndTheirDifferenceBelow()
    {
        compareBoth();
        const FigurePtr curves = m_view->stack().curves().plot().figure();
        QCOMPARE(curves->lines.size(), 2U);
        QCOMPARE(curves->legend.size(), 2U);
        const FigurePtr difference = m_view->stack().difference().plot().figure();
        QCOMPARE(difference->bands.size(), 1U);
        QVERIFY(difference->y.low < 0 || difference->y.high > 0);
    }

    void theReadoutHoldsEachValueAndTheDifference()
    {
        compareBoth();
        CompareStack& stack = m_view->stack();
        Q_EMIT stack.findChild<LaneColumn*>()->cursorMoved(stack.navigator().whole().lengthNs() / 2);
        const QString words = m_view->findChild<QLabel*>(QStringLiteral("compareReadout"))->text();
        QCOMPARE(words, stack.readout());
        QTRY_VERIFY(m_view->findChild<QLabel*>(QStringLiteral("compareReadout"))->width() > 100);
        QVERIFY2(words.contains(QLatin1Char('(')), qPrintable(words));
        QCOMPARE(words.count(QStringLiteral(" · ")), 2);
    }

    void zoomingReadsFinerAndKeepsBothCurves()
    {
        compareBoth();
        TimelineNavigator& navigator = m_view->stack().navigator();
        const figures::TimeWindow whole = navigator.whole();
        navigator.show({whole.beginNs + whole.lengthNs() / 2, whole.beginNs + whole.lengthNs() * 6 / 10});
        QTRY_VERIFY(m_view->stack().source().isIdle());
        QTRY_COMPARE(m_view->stack().curves().plot().figure()->lines.size(), 2U);
        navigator.fit();
        QTRY_VERIFY(m_view->stack().source().isIdle());
        QVERIFY(navigator.isWhole());
    }

    void aTrialWithoutATimelineLeavesTheOthers()
    {
        m_selection->select({m_workspace->trial(0), m_workspace->trial(1), m_workspace->trial(2)});
        QTRY_COMPARE(m_view->stack().trialsWithTimeline(), 2U);
        QTRY_COMPARE(m_view->stack().curves().plot().figure()->lines.size(), 2U);
    }

    void settingsThatDifferAreListed()
    {
        compareBoth();
        const auto* settings = m_view->findChild<QTreeWidget*>(QStringLiteral("compareSettings"));
        QCOMPARE(settings->columnCount(), 3);
        QVERIFY(settings->topLevelItemCount() > 0);
        for (int row = 0; row < settings->topLevelItemCount(); ++row)
            QVERIFY(settings->topLevelItem(row)->text(1) != settings->topLevelItem(row)->text(2));
    }

    void curvesColumnsAndReadoutHaveTheSameLetters()
    {
        compareBoth();
        const FigurePtr curves = m_view->stack().curves().plot().figure();
        QVERIFY(curves->legend[0].text.starts_with("A  "));
        QVERIFY(curves->legend[1].text.starts_with("B  "));
        QCOMPARE(curves->lines[1].look.series, 1U);
        const auto* settings = m_view->findChild<QTreeWidget*>(QStringLiteral("compareSettings"));
        QCOMPARE(settings->headerItem()->text(2), QStringLiteral("B"));
        QVERIFY(settings->headerItem()->toolTip(2).startsWith(QStringLiteral("B: ")));
        QVERIFY(!settings->headerItem()->icon(2).isNull());
    }

    void aTrialWithoutATimelineLeavesTheOthersTheirColours()
    {
        m_selection->select({m_workspace->trial(0), m_workspace->trial(2), m_workspace->trial(1)});
        QTRY_COMPARE(m_view->stack().curves().plot().figure()->lines.size(), 2U);
        const FigurePtr curves = m_view->stack().curves().plot().figure();
        QCOMPARE(curves->lines[1].look.series, 2U);
        QVERIFY(curves->legend[1].text.starts_with("C  "));
    }

    void inANarrowViewTheTablesTakeTheCurvesPlace()
    {
        compareBoth();
        auto* settings = m_view->findChild<QTreeWidget*>(QStringLiteral("compareSettings"));
        auto* tables = m_view->findChild<QAction*>(QStringLiteral("compareTables"));
        QVERIFY(settings->isVisible() && m_view->stack().isVisible());
        m_view->resize(600, 500);
        QTRY_VERIFY(!settings->isVisible() && m_view->stack().isVisible());
        tables->trigger();
        QVERIFY(settings->isVisible() && !m_view->stack().isVisible());
        m_view->resize(1200, 700);
        QTRY_VERIFY(settings->isVisible() && m_view->stack().isVisible());
    }

    void bothPlotsStandBelowEachOther()
    {
        compareBoth();
        CompareStack& stack = m_view->stack();
        const auto leftOf = [&](TimelineLane& lane) {
            return lane.canvas().mapTo(&stack, QPoint()).x() + lane.canvas().scene().layout.plot.x;
        };
        QTRY_VERIFY(std::abs(leftOf(stack.curves()) - leftOf(stack.difference())) < 1);
    }

    void curvesHaveTableTwins()
    {
        compareBoth();
        m_view->findChild<QAction*>(QStringLiteral("compareAsTable"))->trigger();
        QVERIFY(m_view->stack().curves().plot().showsTable());
        QVERIFY(m_view->stack().difference().plot().showsTable());
    }

    void aSelectedTrialIsComparedByAKeyAndAnother()
    {
        CompareActions& actions = m_view->actions();
        QSignalSpy wanted(&actions, &CompareActions::wanted);
        m_selection->select({m_workspace->trial(0), m_workspace->trial(1)});
        QVERIFY(actions.compare()->isEnabled());
        actions.compare()->trigger();
        QCOMPARE(wanted.count(), 1);
        m_selection->clear();
        QVERIFY(!actions.compare()->isEnabled());
        QVERIFY(!actions.counterpart()->isEnabled());
    }

    void measuredStandsBesidePredictedOfTheSameConfiguration()
    {
        report::ReportContent content = m_workspace->results()->content();
        content.trials[0].result.configId = content.trials[1].result.configId = "same";
        content.trials[0].result.isPredicted = true;
        content.trials[1].result.isPredicted = false;
        for (int i : {0, 1})
            content.trials[static_cast<std::size_t>(i)].result.outcome = Outcome::Completed;
        content.trials[0].planned.device = config::parseDevice("sim:cpu", {});
        m_view->setResults(std::make_shared<const ResultSet>(m_workspace->path(), content));
        CompareActions& actions = m_view->actions();
        QSignalSpy wanted(&actions, &CompareActions::wanted);
        for (const int from : {0, 1}) {
            m_selection->select({m_workspace->trial(static_cast<std::size_t>(from))});
            QVERIFY(actions.counterpart()->isEnabled());
            actions.counterpart()->trigger();
            QCOMPARE(m_selection->trials(), (QStringList{m_workspace->trial(1), m_workspace->trial(0)}));
        }
        QCOMPARE(wanted.count(), 2);
        const QSignalSpy missing(&actions, &CompareActions::counterpartMissing);
        m_selection->select({m_workspace->trial(2)});
        actions.counterpart()->trigger();
        QCOMPARE(wanted.count(), 2);
        QCOMPARE(missing.count(), 1);
        QCOMPARE(missing.front().front().toString(), m_workspace->trial(2));
    }

    void aPredictionIsThatOfADeviceOfItsKind()
    {
        const auto of = [](const char* device) { return config::parseDevice(device, {}); };
        QVERIFY(arePaired(of("cpu"), of("sim:cpu")) && arePaired(of("sim:cpu"), of("cpu")));
        QVERIFY(arePaired(of("cuda:0"), of("sim:t4")) && arePaired(of("sim:t4"), of("cuda:1")));
        QVERIFY(!arePaired(of("cpu"), of("sim:t4")) && !arePaired(of("cuda:0"), of("sim:cpu")));
        QVERIFY(!arePaired(of("sim:cpu"), of("sim:cpu")) && !arePaired(of("cpu"), of("cpu")));
    }

    void everyAlignmentThatIsOfferedCanBeChosen()
    {
        compareBoth();
        auto* alignments = m_view->findChild<QComboBox*>(QStringLiteral("compareAlign"));
        QVERIFY(alignments->count() >= 2);
        for (int i = 0; i < alignments->count(); ++i) {
            alignments->setCurrentIndex(i);
            const QString wanted = alignments->currentData().toString();
            Q_EMIT alignments->activated(i);
            QTRY_VERIFY(m_view->stack().source().isIdle());
            QCOMPARE(alignments->currentData().toString(), wanted);
            QCOMPARE(m_view->stack().curves().plot().figure()->lines.size(), 2U);
        }
    }

private:
    void compareBoth()
    {
        m_selection->select({m_workspace->trial(0), m_workspace->trial(1)});
        QTRY_COMPARE(m_view->stack().trialsWithTimeline(), 2U);
        QTRY_VERIFY(m_view->stack().source().isIdle());
    }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<TracedWorkspace> m_workspace;
    std::unique_ptr<CompareView> m_view;
};

HEADROOM_UI_TEST(CompareViewTest)

} // namespace headroom::ui

#include "CompareViewTest.moc"
