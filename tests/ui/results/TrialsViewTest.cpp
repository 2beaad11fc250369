// SPDX-License-Identifier: Apache-2.0
#include "ui/results/TrialsView.h"

#include "experiments/spec/SpecLoader.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/results/SketchedResults.h"
#include "ui/results/DetailsView.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

namespace headroom::ui {

class TrialsViewTest : public UiTest {
    Q_OBJECT

private:
    static QString id(const Results& results, std::size_t trial)
    {
        return QString::fromStdString(results->content().trials[trial].id());
    }

    static void click(TrialsTable& table, int row, Qt::KeyboardModifiers modifiers = {})
    {
        const QRect cell = table.visualRect(table.model()->index(row, 0));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, modifiers, cell.center());
    }

    static void hideColumn(TrialsView& view, const char* name)
    {
        Q_EMIT view.columnsMenu()->aboutToShow();
        auto* action = view.columnsMenu()->findChild<QAction*>(QStringLiteral("column.") + QLatin1String(name));
        QVERIFY(action != nullptr);
        action->trigger();
    }

private Q_SLOTS:
    void aViewWithoutTrialsSaysWhatToDo()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.show();
        auto* text = view.findChild<QLabel*>(QStringLiteral("trialsEmptyText"));
        QVERIFY(text->isVisible());
        QVERIFY(text->text().contains(QStringLiteral("Run an experiment")));
        QVERIFY(!view.filterField()->isEnabled());
        QVERIFY(!view.copyCsvAction()->isEnabled());
        view.setResults(threeSketchedTrials());
        QVERIFY(!text->isVisible());
        QVERIFY(view.table()->isVisible());
        QVERIFY(view.copyCsvAction()->isEnabled());
    }

    void whatAllTrialsDidStandsAboveThem()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.show();
        auto* task = view.findChild<QLabel*>(QStringLiteral("trialsTask"));
        QVERIFY(!task->isVisible());
        report::ReportContent content = threeSketchedTrials()->content();
        content.task = "train, bfloat16, batch 1";
        view.setResults(std::make_shared<const ResultSet>("w.db", std::move(content)));
        QVERIFY(task->isVisible());
        QCOMPARE(task->text(), QStringLiteral("train, bfloat16, batch 1"));
        QVERIFY(task->mapTo(&view, QPoint()).y() < view.table()->mapTo(&view, QPoint()).y());
        view.setResults({});
        QVERIFY(!task->isVisible());
    }

    void theSelectionIsThatOfAllViews()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.resize(900, 300);
        view.show();
        const Results results = threeSketchedTrials();
        view.setResults(results);
        click(*view.table(), 1);
        QCOMPARE(selection.trials(), QStringList{id(results, 1)});
        click(*view.table(), 0, Qt::ControlModifier);
        QCOMPARE(selection.trials(), (QStringList{id(results, 1), id(results, 0)}));
        QCOMPARE(selection.current(), id(results, 0));
        selection.select({id(results, 2)});
        QCOMPARE(view.table()->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(view.table()->currentIndex().row(), 2);
        QTest::keyClick(view.table(), Qt::Key_Up);
        QCOMPARE(selection.trials(), QStringList{id(results, 1)});
    }

    void theMenuOffersWhatTheSelectionAllows()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.resize(900, 300);
        view.show();
        const auto action = [&](const char* name) {
            for (QAction* one : view.trialActions().all())
                if (one != nullptr && one->objectName() == QLatin1String(name))
                    return one;
            return static_cast<QAction*>(nullptr);
        };
        QVERIFY(!action("deleteTrials")->isEnabled() && !action("putIntoForm")->isEnabled());
        const Results results = threeSketchedTrials();
        view.setResults(results);
        selection.select({id(results, 1)});
        QVERIFY(action("useAsBaseline")->isEnabled() && action("runWithTrace")->isEnabled());
        selection.select({id(results, 1), id(results, 0)});
        QCOMPARE(action("useAsBaseline")->text(), QStringLiteral("Use the usual &baseline"));
        QCOMPARE(action("deleteTrials")->text(), QStringLiteral("&Delete 2 trials..."));
        QAction others(QStringLiteral("Compare"));
        others.setShortcut(Qt::Key_C);
        others.setShortcutContext(Qt::WidgetWithChildrenShortcut);
        view.trialActions().putFirst({&others});
        QCOMPARE(view.trialActions().all().first(), &others);
        const QSignalSpy compare(&others, &QAction::triggered);
        QSignalSpy deletion(&view.trialActions(), &TrialActions::deletionWanted);
        view.activateWindow();
        view.table()->setFocus();
        QTRY_VERIFY(view.table()->hasFocus());
        QTest::keyClick(view.table(), Qt::Key_C);
        QCOMPARE(compare.count(), 1);
        QTest::keyClick(view.table(), Qt::Key_Delete);
        QCOMPARE(deletion.count(), 1);
        QCOMPARE(deletion.first().first().toStringList(), selection.trials());
        Q_EMIT view.table()->customContextMenuRequested({5, 5});
        const auto* menu = view.findChild<QMenu*>(QStringLiteral("trialsMenu"));
        QVERIFY(menu != nullptr && menu->actions().contains(action("deleteTrials")));
        QVERIFY(menu->actions().contains(view.copyCsvAction()));
    }

    void whatTheFilterHidesStaysSelected()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        const Results results = threeSketchedTrials();
        view.setResults(results);
        selection.select({id(results, 0), id(results, 2)});
        view.filterField()->setText(QStringLiteral("measured"));
        QCOMPARE(view.findChild<QLabel*>(QStringLiteral("trialsCounts"))->text(), QStringLiteral("1 of 3 trials"));
        QCOMPARE(selection.trials().size(), 2);
        view.filterField()->clear();
        QCOMPARE(view.table()->selectionModel()->selectedRows().size(), 2);
    }

    void itSaysWhoseTrialsTheyAre()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        const auto* counts = view.findChild<QLabel*>(QStringLiteral("trialsCounts"));
        QCOMPARE(counts->text(), QString());
        view.setResults(threeSketchedTrials());
        QCOMPARE(counts->text(), QStringLiteral("3 trials"));
        QCOMPARE(counts->toolTip(), QStringLiteral("sketch, ffn-stack-tiny, sim:t4, cpu, 3 trials"));
        view.setResults(sketchedResults({{.splitFfn = "off"}}));
        QCOMPARE(counts->text(), QStringLiteral("1 trial"));
        QCOMPARE(counts->toolTip(), QStringLiteral("sketch, ffn-stack-tiny, sim:t4, 1 trial"));
        view.setResults(nullptr);
        QCOMPARE(counts->text(), QString());
    }

    void aFilterThatHidesAllOffersTheWayBack()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.show();
        view.setResults(threeSketchedTrials());
        QTest::keyClicks(view.filterField(), QStringLiteral("nowhere"));
        auto* clear = view.findChild<QPushButton*>(QStringLiteral("clearTrialsFilter"));
        QVERIFY(clear->isVisible());
        clear->click();
        QVERIFY(view.table()->isVisible());
        QCOMPARE(view.table()->model()->rowCount(), 3);
    }

    void theTrialUnderThePointerIsHoveredInAllViews()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.resize(900, 300);
        view.show();
        const Results results = threeSketchedTrials();
        view.setResults(results);
        const QPoint second = view.table()->visualRect(view.table()->model()->index(1, 0)).center();
        QTest::mouseMove(view.table()->viewport(), second);
        QTRY_COMPARE(selection.hovered(), id(results, 1));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(view.table()->viewport(), &leave);
        QVERIFY(selection.hovered().isEmpty());
    }

    void rowsAreCopiedAsCsvWithPointsAndWithoutUnknownMarks()
    {
        QLocale::setDefault(QLocale(QLocale::German));
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        const Results results = threeSketchedTrials();
        view.setResults(results);
        for (const char* column : {"front", "device", "peak reserved", "samples/s", "tokens/s", "saved", "fits",
                 "95 % interval", "speed kept"})
            if (view.table()->trials().trials().columnOf(QLatin1String(column)) >= 0)
                hideColumn(view, column);
        selection.select({id(results, 1), id(results, 2)});
        view.copyCsvAction()->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(),
            QStringLiteral("split_ffn,steps/s,outcome,kind,peak allocated (GiB)\r\n"
                           "2,1.5000,completed,predicted,9.000\r\n"
                           "4,0.5000,completed,measured,7.500\r\n"));
        QLocale::setDefault(QLocale::c());
    }

    void withoutSelectedRowsAllOfTheFilterAreCopiedAndPredictionsAreMarked()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.setResults(threeSketchedTrials());
        for (const char* column : {"front", "device", "peak reserved", "samples/s", "tokens/s", "saved", "fits",
                 "95 % interval", "speed kept", "kind"})
            if (view.table()->trials().trials().columnOf(QLatin1String(column)) >= 0)
                hideColumn(view, column);
        view.filterField()->setText(QStringLiteral("predicted"));
        view.copyMarkdownAction()->trigger();
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY2(text.startsWith(QStringLiteral("| split_ffn | steps/s | outcome | peak allocated (GiB) | kind |\n"
                                                "| --- | ---: | --- | ---: | --- |\n"
                                                "| off | 2.0000 p | completed | 12.000 p | predicted |\n")),
            qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("predicted by simulation")));
        QVERIFY(!text.contains(QStringLiteral("measured |")));
    }

    void rowsAreSavedInTheBackground()
    {
        const TemporaryFolder folder;
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        const QSignalSpy saved(&view, &TrialsView::saved);
        const QSignalSpy failed(&view, &TrialsView::failed);
        view.setResults(threeSketchedTrials());
        const QString path = QString::fromStdString((folder.path() / "rows.csv").string());
        view.saveCsv(path);
        QTRY_COMPARE(saved.count(), 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n'), 4);
        view.saveCsv(QStringLiteral("/nowhere/rows.csv"));
        QTRY_COMPARE(failed.count(), 1);
    }

    void columnsTheirOrderWidthAndSortingComeBack()
    {
        Theme theme;
        Selection selection;
        QVariantMap state;
        {
            TrialsView view(theme, selection);
            view.setResults(threeSketchedTrials());
            hideColumn(view, "kind");
            QHeaderView* header = view.table()->horizontalHeader();
            header->moveSection(
                header->visualIndex(view.table()->trials().trials().columnOf(QStringLiteral("outcome"))), 0);
            header->resizeSection(view.table()->trials().trials().columnOf(QStringLiteral("outcome")), 321);
            view.table()->sortByColumn(
                view.table()->trials().trials().columnOf(QStringLiteral("steps/s")), Qt::DescendingOrder);
            state = view.state();
        }
        TrialsView view(theme, selection);
        view.restore(state);
        view.setResults(threeSketchedTrials());
        const TrialsModel& trials = view.table()->trials().trials();
        QHeaderView* header = view.table()->horizontalHeader();
        QVERIFY(view.table()->isColumnHidden(trials.columnOf(QStringLiteral("kind"))));
        QCOMPARE(header->logicalIndex(0), trials.columnOf(QStringLiteral("outcome")));
        QCOMPARE(header->sectionSize(trials.columnOf(QStringLiteral("outcome"))), 321);
        QCOMPARE(header->sortIndicatorSection(), trials.columnOf(QStringLiteral("steps/s")));
        QCOMPARE(view.table()->model()->index(0, trials.columnOf(QStringLiteral("steps/s"))).data().toString(),
            QStringLiteral("2.0000"));
        QCOMPARE(view.state(), state);
        view.restore({});
        QVERIFY(!view.table()->isColumnHidden(trials.columnOf(QStringLiteral("kind"))));
        QCOMPARE(header->logicalIndex(0), 0);
    }

    void aRefreshKeepsSelectionAndPlace()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.show();
        const Results before = threeSketchedTrials();
        view.setResults(before);
        selection.select({id(before, 1)});
        view.setResults(threeSketchedTrials());
        QCOMPARE(view.table()->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(view.table()->currentIndex().row(), 1);
        QCOMPARE(selection.trials(), QStringList{id(before, 1)});
    }

    void detailsAreThoseOfTheCurrentTrial()
    {
        Theme theme;
        Selection selection;
        DetailsView view(theme, selection);
        view.show();
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("detailsEmptyText"))->isVisible());
        QVERIFY(!view.copyAllAction()->isEnabled());
        const Results results = threeSketchedTrials();
        view.setResults(results);
        selection.select({id(results, 0), id(results, 1)});
        for (const char* word : {"split_ffn 2", "9.000 GiB", "predicted", "ffn-stack-tiny", "sim:t4", "reference"})
            QVERIFY2(view.text().contains(QLatin1String(word)), word);
        QVERIFY(view.text().contains(id(results, 1)));
        view.copySpecAction()->trigger();
        const QString spec = QGuiApplication::clipboard()->text();
        const auto planned = experiments::expand(experiments::loadSpecText(spec.toStdString(), "copied", {}));
        QCOMPARE(planned.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(planned.front().trialId), id(results, 1));
        view.copyAllAction()->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("## Figures")));
        selection.clear();
        QVERIFY(view.text().isEmpty());
    }
};

HEADROOM_UI_TEST(TrialsViewTest)

} // namespace headroom::ui

#include "TrialsViewTest.moc"
