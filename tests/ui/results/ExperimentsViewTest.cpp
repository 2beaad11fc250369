// SPDX-License-Identifier: Apache-2.0
#include "ui/results/ExperimentsView.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/results/WorkspaceFixture.h"
#include "ui/results/ExperimentsModel.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>

namespace headroom::ui {

class ExperimentsViewTest : public UiTest {
    Q_OBJECT

private:
    static constexpr auto kMode = QAbstractItemModelTester::FailureReportingMode::QtTest;

private Q_SLOTS:
    void withoutAWorkspaceItOffersToOpenOne()
    {
        WorkspaceService workspace;
        Theme theme;
        ExperimentsView view(workspace, theme);
        view.show();
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("experimentsEmptyText"))->isVisible());
        QVERIFY(view.findChild<QPushButton*>(QStringLiteral("openWorkspaceButton"))->isVisible());
        QVERIFY(!view.searchField()->isEnabled());
    }

    void aClickShowsAnExperimentAndTheSearchFindsItByDevice()
    {
        const WorkspaceFixture fixture;
        fixture.run("name = \"first\"\ndevice.name = \"sim:h200\"\n");
        fixture.run("name = \"second\"\n");
        WorkspaceService workspace;
        Theme theme;
        ExperimentsView view(workspace, theme);
        view.resize(320, 400);
        view.show();
        auto* list = view.findChild<QListView*>(QStringLiteral("experimentsList"));
        const QAbstractItemModelTester tester(list->model(), kMode);
        workspace.open(fixture.text());
        QTRY_COMPARE(list->model()->rowCount(), 2);
        QVERIFY(list->isVisible());
        QTRY_COMPARE(list->currentIndex().row(), 0);
        QVERIFY(list->model()
                ->index(0, 0)
                .data(Qt::AccessibleTextRole)
                .toString()
                .startsWith(QStringLiteral("second, ffn-stack-tiny, finished, 1 trial, just now")));
        QCOMPARE(
            list->model()->index(0, 0).data(ExperimentsModel::ModelsRole).toString(), QStringLiteral("ffn-stack-tiny"));

        view.searchField()->setText(QStringLiteral("H200"));
        QCOMPARE(list->model()->rowCount(), 1);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
        QTRY_COMPARE(workspace.results()->content().experiment, std::string("first"));
        QTRY_VERIFY(list->model()->index(0, 0).data(ExperimentsModel::IsShownRole).toBool());
        view.searchField()->setText(QStringLiteral("nowhere"));
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("experimentsEmptyText"))
                ->text()
                .contains(QStringLiteral("No experiment matches")));
        view.searchField()->clear();
        view.newestAction()->trigger();
        QTRY_COMPARE(workspace.results()->content().experiment, std::string("second"));
    }

    void severalAreShownTogetherByCtrlClicks()
    {
        const WorkspaceFixture fixture;
        fixture.run("name = \"first\"\ntechniques.split_ffn = [\"off\", \"2\"]\n");
        fixture.run("name = \"second\"\ntechniques.split_ffn = [\"off\", \"4\"]\n");
        WorkspaceService workspace;
        Theme theme;
        ExperimentsView view(workspace, theme);
        view.resize(320, 400);
        view.show();
        auto* list = view.findChild<QListView*>(QStringLiteral("experimentsList"));
        workspace.open(fixture.text());
        QTRY_COMPARE(list->currentIndex().row(), 0);
        const auto click = [&](int row, Qt::KeyboardModifiers modifiers) {
            const QPoint place = list->visualRect(list->model()->index(row, 0)).center();
            QTest::mouseClick(list->viewport(), Qt::LeftButton, modifiers, place);
        };
        click(1, Qt::ControlModifier);
        QTRY_VERIFY(workspace.results()->isOfSeveral());
        QCOMPARE(workspace.results()->title(), QStringLiteral("2 experiments: first, second; 4 trials"));
        QCOMPARE(workspace.results()->experiments(), (std::vector<std::int64_t>{1, 2}));
        for (int row : {0, 1})
            QVERIFY(list->model()->index(row, 0).data(ExperimentsModel::IsShownRole).toBool());
        // The same trial is in both: one of them is stored under another id than it is shown with.
        const auto& trials = workspace.results()->content().trials;
        QCOMPARE(trials[2].id(), trials[0].id() + "@2");
        QCOMPARE(ResultSet::storedId(trials[2]), trials[0].id());
        QCOMPARE(workspace.results()->experimentOf(trials[2]), 2);
        click(1, Qt::NoModifier);
        QTRY_COMPARE(workspace.results()->content().experiment, std::string("first"));
        QVERIFY(!workspace.results()->isOfSeveral());
        QCOMPARE(list->selectionModel()->selectedIndexes().size(), 1);
    }

    void aRefreshLeavesTheCursorWhereItIs()
    {
        const WorkspaceFixture fixture;
        fixture.run("name = \"first\"\n");
        fixture.run("name = \"second\"\n");
        WorkspaceService workspace;
        Theme theme;
        ExperimentsView view(workspace, theme);
        view.show();
        auto* list = view.findChild<QListView*>(QStringLiteral("experimentsList"));
        workspace.open(fixture.text());
        QTRY_COMPARE(list->currentIndex().row(), 0);
        QTest::keyClick(list, Qt::Key_Down);
        QCOMPARE(list->currentIndex().row(), 1);
        Q_EMIT workspace.experimentsChanged();
        Q_EMIT workspace.resultsChanged(workspace.results());
        QCOMPARE(list->currentIndex().row(), 1);
    }

    void anEmptyWorkspaceSaysSo()
    {
        const WorkspaceFixture fixture;
        WorkspaceService workspace;
        Theme theme;
        ExperimentsView view(workspace, theme);
        workspace.create(fixture.text());
        QTRY_VERIFY(view.findChild<QLabel*>(QStringLiteral("experimentsEmptyText"))
                ->text()
                .contains(QStringLiteral("No experiments yet")));
        QCOMPARE(view.findChild<QLabel*>(QStringLiteral("workspaceName"))->text(), QStringLiteral("headroom.db"));
    }

    void theModelHoldsItsContractThroughAllChanges()
    {
        ExperimentsModel model;
        ExperimentsFilterModel filtered;
        filtered.setSourceModel(&model);
        const QAbstractItemModelTester tester(&model, kMode);
        const QAbstractItemModelTester filteredTester(&filtered, kMode);
        const auto entries = [](const std::vector<qint64>& ids) {
            auto list = std::make_shared<std::vector<ExperimentEntry>>();
            for (const qint64 id : ids) {
                ExperimentEntry entry;
                entry.id = id;
                entry.name = QStringLiteral("e%1").arg(id);
                entry.startedAt = QDateTime::currentDateTime();
                list->push_back(entry);
            }
            return list;
        };
        model.setExperiments(entries({2, 1}));
        filtered.setSearchText(QStringLiteral("e2"));
        QCOMPARE(filtered.rowCount(), 1);
        model.setExperiments(entries({3, 2, 1}));
        model.setShown({2});
        QCOMPARE(model.rowOf(2), 1);
        QCOMPARE(filtered.rowCount(), 1);
        model.setNow(QDateTime::currentDateTime().addSecs(7200));
        QCOMPARE(filtered.index(0, 0).data(ExperimentsModel::AgeRole).toString(), QStringLiteral("2 hours ago"));
        model.setExperiments(nullptr);
        QCOMPARE(filtered.rowCount(), 0);
    }

    void timesAreSaidAsPeopleDo_data()
    {
        QTest::addColumn<qint64>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("now") << qint64(20) << QStringLiteral("just now");
        QTest::newRow("minute") << qint64(60) << QStringLiteral("1 minute ago");
        QTest::newRow("minutes") << qint64(59 * 60) << QStringLiteral("59 minutes ago");
        QTest::newRow("hours") << qint64(3 * 3600) << QStringLiteral("3 hours ago");
        QTest::newRow("yesterday") << qint64(20 * 3600) << QStringLiteral("yesterday");
        QTest::newRow("days") << qint64(4 * 86400) << QStringLiteral("4 days ago");
        QTest::newRow("date") << qint64(60 * 86400) << QStringLiteral("2026-01-01");
        QTest::newRow("a clock that was set back") << qint64(-500) << QStringLiteral("just now");
    }

    void timesAreSaidAsPeopleDo()
    {
        QFETCH(qint64, seconds);
        QFETCH(QString, text);
        const QDateTime now(QDate(2026, 3, 2), QTime(12, 0));
        QCOMPARE(relativeTime(now.addSecs(-seconds), now), text);
        QCOMPARE(exactTime(now), QStringLiteral("2026-03-02 12:00"));
    }
};

HEADROOM_UI_TEST(ExperimentsViewTest)

} // namespace headroom::ui

#include "ExperimentsViewTest.moc"
