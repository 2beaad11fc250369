// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/PlannerView.h"

#include "experiments/plan/PlanSentences.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/answer/WorkerPids.h"
#include "tests/ui/plan/PlanTrials.h"
#include "ui/figures/SheetExport.h"
#include "ui/look/Veil.h"
#include "ui/plan/ChoicePanel.h"
#include "ui/plot/FigurePlot.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>

namespace headroom::ui {

using experiments::FitVerdict;
using experiments::PlannedChoice;

namespace {

constexpr int kPlanPatienceMs = 240'000;

} // namespace

// With real workers.
class PlannerViewTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_view = std::make_unique<PlannerView>(m_theme);
        m_view->setOptions({.mostPredictions = 28,
            .searchTime = std::chrono::hours(1),
            .workers = 2,
            .patience = PlanInquiry::kPatience});
        m_view->resize(900, 700);
        m_view->show();
    }

    void cleanup() { m_view.reset(); }

    void withoutAQuestionItSaysWhatItDoes()
    {
        QVERIFY(m_view->sentence().startsWith(QStringLiteral("No plan yet.")));
        QVERIFY(!table()->isVisible());
        QVERIFY(!m_view->panel().isVisible());
        QSignalSpy wanted(m_view->searchAction(), &QAction::triggered);
        button("planSearch")->click();
        QCOMPARE(wanted.count(), 1);
    }

    void theAnswerStandsInOneSentenceWithItsReasons()
    {
        plan(hugeTrial());
        const experiments::PlanResult& plan = *m_view->plan();
        QVERIFY(plan.answer.has_value());
        QCOMPARE(plan.answer->verdict.kind, FitVerdict::Kind::Fits);
        QVERIFY(plan.asked.verdict.freeBytes().value_or(0) < 0);
        QVERIFY2(m_view->sentence().startsWith(QString::fromStdString(experiments::sentenceFor(plan))),
            qPrintable(m_view->sentence()));
        QVERIFY(m_view->sentence().contains(QStringLiteral("combinations decided with")));
        QCOMPARE(m_view->model().row(0).choice.trial, plan.answer->trial);
        QVERIFY(m_view->model().row(0).role.startsWith(QStringLiteral("answer")));
        QTRY_VERIFY_WITH_TIMEOUT(
            m_view->panel().sentence().startsWith(QStringLiteral("The answer: the fastest ")), kPlanPatienceMs);
        QCOMPARE(m_view->panel().sentence().startsWith(QStringLiteral("The answer: the fastest of all that fit, ")),
            experiments::isProven(plan.findings));
        QVERIFY(!button("planCompare")->isEnabled()); // with itself
        QCOMPARE(m_view->plot().figure()->marks.empty(), false);
        // A picture of it says what it is a plan for, not whose results are open.
        QVERIFY(pictureCaption(m_view->plot()).startsWith(QStringLiteral("Plan for ltx-video-tiny on sim:rtx4090: ")));
    }

    // Click a point: what owns its peak, or what its time goes to.
    void anyPointSaysWhyItLoses()
    {
        plan(hugeTrial());
        const int asked = m_view->model().rowOf(m_view->plan()->asked.trial);
        QVERIFY(asked > 0);
        table()->selectRow(asked);
        QVERIFY(button("planCompare")->isEnabled());
        QSignalSpy compared(m_view.get(), &PlannerView::comparisonWanted);
        button("planCompare")->click();
        QCOMPARE(compared.count(), 1);
        QCOMPARE(compared.front().at(1).value<PlannedChoice>().trial, m_view->plan()->asked.trial);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_view->panel().sentence().contains(QStringLiteral("it does not fit: it needs ")), kPlanPatienceMs);
        QVERIFY2(
            m_view->panel().sentence().contains(QRegularExpression(QStringLiteral("Of its peak of .* in .*, .* are "))),
            qPrintable(m_view->panel().sentence()));
        const auto& marks = m_view->plot().figure()->marks;
        const QString last = QString::fromStdString(marks.back().id);
        Q_EMIT m_view->plot().clicked(last, {});
        const PlannedChoice& choice = m_view->plan()->predicted.at(last.toUInt());
        QCOMPARE(m_view->panel().choice()->trial, choice.trial);
        QTRY_VERIFY_WITH_TIMEOUT(m_view->panel().sentence().startsWith(QStringLiteral("With "))
                || choice.trial == m_view->plan()->answer->trial,
            kPlanPatienceMs);
    }

    void whatIsFoundStandsThereWhileTheSearchGoesOn()
    {
        m_view->setOptions({.mostPredictions = 400, .searchTime = std::chrono::hours(1), .workers = 2});
        m_view->search(hugeTrial());
        auto* progress = m_view->findChild<QProgressBar*>(QStringLiteral("planProgress"));
        QTRY_VERIFY_WITH_TIMEOUT(m_view->model().rowCount() > 0, kPlanPatienceMs);
        QVERIFY(m_view->isSearching());
        QVERIFY(progress->isVisible());
        QVERIFY(progress->maximum() >= progress->value());
        static const QRegularExpression kDone(
            QStringLiteral("^Best( so far)?: .*, needs .* [\\d,]+ simulated, [\\d,]+ of [\\d,]+ combinations decided"));
        QVERIFY2(m_view->sentence().contains(kDone), qPrintable(m_view->sentence()));
        QVERIFY(m_view->panel().choice().has_value());
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!m_view->isSearching(), kPlanPatienceMs);
        QVERIFY2(m_view->sentence().contains(QStringLiteral("interrupted")), qPrintable(m_view->sentence()));
        QVERIFY(m_view->model().rowCount() > 0);
        QVERIFY(!progress->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(workerPids().empty(), kPlanPatienceMs);
    }

    // Effort that was used up can be spent once more, four times as much.
    void aSearchThatRanOutOfEffortCanGoOn()
    {
        m_view->setOptions({.mostPredictions = 8, .searchTime = std::chrono::hours(1), .workers = 2});
        plan(hugeTrial());
        QCOMPARE(m_view->plan()->findings.end, experiments::PlanFindings::End::OutOfEffort);
        const std::size_t before = m_view->plan()->findings.predictions;
        QVERIFY(button("planLonger")->isVisible());
        button("planLonger")->click();
        QVERIFY(m_view->isSearching());
        QTRY_VERIFY_WITH_TIMEOUT(!m_view->isSearching(), kPlanPatienceMs);
        QVERIFY(m_view->plan()->findings.predictions > before);
    }

    // The second question is answered, and nothing is shown of the first.
    void aChangedQuestionEndsTheSearchForTheOldOne()
    {
        QSignalSpy finished(m_view.get(), &PlannerView::finished);
        m_view->search(hugeTrial(64));
        QTRY_VERIFY_WITH_TIMEOUT(!workerPids().empty(), kPlanPatienceMs);
        m_view->search(hugeTrial(2));
        QTRY_VERIFY_WITH_TIMEOUT(!m_view->isSearching(), kPlanPatienceMs);
        QCOMPARE(finished.count(), 1);
        QCOMPARE(m_view->plan()->asked.trial, hugeTrial(2));
        QVERIFY(m_view->sentence().startsWith(QStringLiteral("Use ")));
    }

    // Closing the window in the middle of a search leaves no worker behind.
    void itsEndEndsASearch()
    {
        m_view->search(hugeTrial(64));
        QTRY_VERIFY_WITH_TIMEOUT(!workerPids().empty(), kPlanPatienceMs);
        m_view.reset();
        QVERIFY(workerPids().empty());
    }

    void itSaysWhereNothingFits()
    {
        config::Trial trial = hugeTrial(1);
        trial.memoryLimitBytes = 1 * kMiB; // less than a segment
        plan(trial);
        QVERIFY2(m_view->sentence().startsWith(QStringLiteral("Nothing that was looked at fits in ")),
            qPrintable(m_view->sentence()));
        QVERIFY(!m_view->plan()->answer);
        QTRY_VERIFY_WITH_TIMEOUT(m_view->panel().sentence().contains(QStringLiteral("it does not fit: it needs ")),
            kPlanPatienceMs); // of whatever is chosen
        QVERIFY(!button("planCompare")->isEnabled());
        QVERIFY(m_view->model().rowCount() > 0);
    }

    void whatIsChosenCanBeCopiedTakenRunAndRaised()
    {
        plan(hugeTrial());
        auto* command = m_view->findChild<QPlainTextEdit*>(QStringLiteral("planCommand"));
        QVERIFY(command->toPlainText().startsWith(QStringLiteral("headroom run --model ltx-video-tiny ")));
        button("planCopy")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), command->toPlainText());
        QSignalSpy taken(m_view.get(), &PlannerView::formWanted);
        QTest::keyClick(table(), Qt::Key_Return);
        QCOMPARE(taken.count(), 1);
        QCOMPARE(taken.front().front().value<PlannedChoice>().trial, m_view->plan()->answer->trial);
        QSignalSpy run(m_view.get(), &PlannerView::runWanted);
        button("planRun")->click();
        QCOMPARE(run.count(), 1);
        auto* sizes = m_view->findChild<QMenu*>(QStringLiteral("planSizes"));
        auto* batch = sizes->findChild<QAction*>(QStringLiteral("planLargest-batch"));
        QVERIFY(batch != nullptr);
        batch->trigger();
        static const QRegularExpression kEdge(
            QStringLiteral("^The largest batch that fits is (\\d+); (\\d+) does not fit\\. It needs .* free, at .* "
                           "steps/s .*, .* samples/s\\.$"));
        QTRY_VERIFY_WITH_TIMEOUT(m_view->panel().sentence().contains(kEdge), kPlanPatienceMs);
        const auto match = kEdge.match(m_view->panel().sentence());
        const auto& shapes = m_view->panel().choice()->trial.configuration.workload.shapes;
        QCOMPARE(shapes.at("batch").integer(), match.captured(1).toLongLong());
        QCOMPARE(match.captured(2).toLongLong(), match.captured(1).toLongLong() + 1);
    }

    void nothingCanBeDoneWithThePlanOfAnotherExperiment()
    {
        plan(hugeTrial());
        auto* question = m_view->findChild<QLabel*>(QStringLiteral("planQuestion"));
        auto* sentence = m_view->findChild<QLabel*>(QStringLiteral("planSentence"));
        const QString asked = question->text();
        const auto isLive = [&] {
            QSignalSpy taken(m_view.get(), &PlannerView::formWanted);
            QSignalSpy run(m_view.get(), &PlannerView::runWanted);
            QTest::keyClick(table(), Qt::Key_Return);
            Q_EMIT m_view->plot().activated(QStringLiteral("0"));
            button("planToForm")->click();
            button("planRun")->click();
            return taken.count() + run.count() > 0;
        };
        QVERIFY(isLive());
        m_view->setOutdated(true);
        QVERIFY(!isLive());
        const QSize before = m_view->plot().size();
        for (QWidget* dimmed : {static_cast<QWidget*>(&m_view->plot()), static_cast<QWidget*>(table())}) {
            const auto* veil = dimmed->findChild<Veil*>();
            QVERIFY(veil->isVisibleTo(dimmed) && veil->geometry() == dimmed->rect());
        }
        QCoreApplication::processEvents();
        QCOMPARE(m_view->plot().size(), before); // it lies above, and takes no room
        QVERIFY(!sentence->isEnabled());
        QCOMPARE(question->text(), QStringLiteral("Not of the experiment on the left. Plan for ") + asked);
        QCOMPARE(button("planSearch")->text(), QStringLiteral("Find the &best combination"));
        m_view->setOutdated(false);
        QVERIFY(isLive());
        QCOMPARE(question->text(), asked);
        m_view->setOutdated(true);
        plan(hugeTrial(2));
        QVERIFY(isLive());
        QVERIFY(!m_view->findChild<Veil*>()->isVisible());
        QVERIFY(sentence->isEnabled());
    }

    void everyPartHasANameAndKeysReachIt()
    {
        plan(hugeTrial(2));
        m_view->activateWindow();
        for (const char* name : {"planTable", "planCommand", "planProgress", "planWhy", "planSentence"}) {
            const auto* widget = m_view->findChild<QWidget*>(QLatin1String(name));
            QVERIFY2(!widget->accessibleName().isEmpty(), name);
        }
        QCOMPARE(QAccessible::queryAccessibleInterface(table())->role(), QAccessible::Table);
        for (const char* name : {"planTable", "planCommand", "planCopy", "planToForm", "planRun", "planCompare",
                 "planSettings", "planLargest", "planCosts", "planSearch"})
            QVERIFY2(m_view->findChild<QWidget*>(QLatin1String(name))->focusPolicy() & Qt::TabFocus, name);
    }

private:
    void plan(const config::Trial& trial)
    {
        m_view->search(trial);
        QTRY_VERIFY_WITH_TIMEOUT(!m_view->isSearching(), kPlanPatienceMs);
        QVERIFY2(m_view->plan() != nullptr, qPrintable(m_view->sentence()));
    }

    QTableView* table() { return m_view->findChild<QTableView*>(QStringLiteral("planTable")); }
    QPushButton* button(const char* name) { return m_view->findChild<QPushButton*>(QLatin1String(name)); }

    Theme m_theme;
    std::unique_ptr<PlannerView> m_view;
};

HEADROOM_UI_TEST(PlannerViewTest)

} // namespace headroom::ui

#include "PlannerViewTest.moc"
