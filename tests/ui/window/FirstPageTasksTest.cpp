// SPDX-License-Identifier: Apache-2.0
//
// What a new user came for, from the first page, by keys alone: will it fit, make it fit, why does one peak above the
// other, the largest batch, and the settings for a trainer.
#include "core/base/Numbers.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/window/Keys.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/answer/LiveAnswer.h"
#include "ui/compare/CompareView.h"
#include "ui/plan/ChoicePanel.h"
#include "ui/plan/CostDialog.h"
#include "ui/plan/HandoffDialog.h"
#include "ui/plan/PlannerView.h"
#include "ui/queue/QueueView.h"
#include "ui/start/FirstRunPage.h"
#include "ui/start/QuestionForm.h"

#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QLabel>
#include <QRegularExpression>

namespace headroom::ui {
namespace {

constexpr int kFirstPageTaskMs = 240'000; ///< a machine that does other things as well

} // namespace

class FirstPageTasksTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_open = std::make_unique<OpenWindow>();
        qputenv("HEADROOM_WORKER", HEADROOM_BINARY_DIR "/bin/headroom-worker"); // plans are simulated
        views().plan->setOptions({.mostPredictions = 28,
            .searchTime = std::chrono::hours(1),
            .workers = 2,
            .patience = PlanInquiry::kPatience});
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        m_keys = std::make_unique<Keys>(window());
        m_keys->press(Qt::Key_F1);
        QTRY_VERIFY_WITH_TIMEOUT(m_open->services().predictor.cards().cards.size() > 0, kFirstPageTaskMs);
        QCOMPARE(Keys::focus()->objectName(), QStringLiteral("startModel"));
    }

    void cleanup()
    {
        m_keys.reset();
        m_open.reset();
    }

    // The sentence says it, with what it needs and what is left.
    void willItFit()
    {
        ask("2");
        m_keys->press(Qt::Key_Return);
        waitForThePlan();
        QVERIFY2(plan().sentence().startsWith(QStringLiteral("Use ")), qPrintable(plan().sentence()));
        QVERIFY(plan().sentence().contains(QStringLiteral(" needs ")));
        QTRY_VERIFY_WITH_TIMEOUT(verdict().startsWith(QStringLiteral("Fits: needs ")), kFirstPageTaskMs);
    }

    // Enter on the answer puts it into the form, whose live answer agrees.
    void makeItFit()
    {
        ask("24");
        m_keys->press(Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(plan().isSearching(), kFirstPageTaskMs);
        waitForThePlan();
        QVERIFY(plan().plan()->asked.verdict.freeBytes().value_or(0) < 0);
        const std::string before = spec().text();
        QTRY_COMPARE(Keys::focus()->objectName(), QStringLiteral("planTable"));
        m_keys->press(Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!spec().isPlanning(), kFirstPageTaskMs);
        QCOMPARE(spec().plan()->trials.size(), std::size_t(1));
        QCOMPARE(spec().plan()->trials.front().trial, plan().plan()->answer->trial);
        QTRY_VERIFY_WITH_TIMEOUT(verdict().startsWith(QStringLiteral("Fits: needs ")), kFirstPageTaskMs);
        m_keys->press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(spec().text(), before);
    }

    // A row says why it loses; one button runs it and the answer, and compares both byte for byte.
    void whyDoesOnePeakAboveTheOther()
    {
        ask("2");
        m_keys->press(Qt::Key_Return);
        waitForThePlan();
        QTRY_COMPARE(Keys::focus()->objectName(), QStringLiteral("planTable"));
        QVERIFY(plan().model().rowCount() > 1);
        m_keys->press(Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(plan().panel().sentence().startsWith(QStringLiteral("With ")), kFirstPageTaskMs);
        QVERIFY(!views().dockOf(views().queue)->isVisible()); // nothing stands in it: the plan has its room
        QVERIFY(m_keys->tabTo("planCompare"));
        m_keys->press(Qt::Key_Space);
        QTRY_VERIFY(views().dockOf(views().queue)->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(views().compare->stack().trialsWithTimeline(), 2U, kFirstPageTaskMs);
        QTRY_VERIFY(views().compare->isAncestorOf(Keys::focus()));
        const auto* why = views().compare->findChild<QLabel*>(QStringLiteral("compareSentences"));
        QVERIFY(why != nullptr);
        QTRY_VERIFY2(why->text().contains(QStringLiteral(" peak")), qPrintable(why->text()));
        const Results& results = m_open->services().workspaces.results();
        const report::ReportTrial* first = results->find(m_open->services().selection.trials().front().toStdString());
        QVERIFY(first != nullptr);
        QVERIFY(
            first->planned.whole().configuration.techniques == plan().plan()->answer->trial.configuration.techniques);
    }

    // Hours of a run on every card.
    void whatDoesTheRunCost()
    {
        ask("2");
        m_keys->press(Qt::Key_Return);
        waitForThePlan();
        QTRY_COMPARE(Keys::focus()->objectName(), QStringLiteral("planTable"));
        QVERIFY(m_keys->tabTo("planCosts"));
        QString hours;
        Keys::whenAsked([&] {
            auto* dialog = qobject_cast<CostDialog*>(QApplication::activeModalWidget());
            QCOMPARE(Keys::focus()->objectName(), QStringLiteral("costSteps"));
            QTRY_VERIFY_WITH_TIMEOUT(dialog->isComplete(), kFirstPageTaskMs);
            m_keys->press(Qt::Key_A, Qt::ControlModifier);
            m_keys->write(QStringLiteral("3600000"));
            const QModelIndex cell = dialog->model().index(0, CostTableModel::Hours);
            hours = cell.data().toString();
            QCOMPARE(hours, QString::fromStdString(significant(1'000 * *dialog->model().cost(0).stepSeconds)));
            m_keys->press(Qt::Key_Escape);
        });
        m_keys->press(Qt::Key_Space);
        QVERIFY(!hours.isEmpty());
    }

    void howLargeCanTheBatchBe()
    {
        ask("2");
        m_keys->press(Qt::Key_Return);
        waitForThePlan();
        QTRY_COMPARE(Keys::focus()->objectName(), QStringLiteral("planTable"));
        QVERIFY(m_keys->tabTo("planLargest"));
        Keys::whenListed([&] {
            m_keys->press(Qt::Key_Down);
            m_keys->press(Qt::Key_Return);
        });
        m_keys->press(Qt::Key_Space);
        static const QRegularExpression kEdge(
            QStringLiteral("^The largest batch that fits is (\\d+); (\\d+) does not fit\\."));
        QTRY_VERIFY_WITH_TIMEOUT(plan().panel().sentence().contains(kEdge), kFirstPageTaskMs);
        QVERIFY(kEdge.match(plan().panel().sentence()).captured(1).toInt() > 2);
    }

    void handItToMyTrainer()
    {
        ask("2");
        m_keys->press(Qt::Key_Return);
        waitForThePlan();
        QTRY_COMPARE(Keys::focus()->objectName(), QStringLiteral("planTable"));
        QVERIFY(m_keys->tabTo("planSettings"));
        QString text;
        Keys::whenAsked([&] {
            text = qobject_cast<HandoffDialog*>(QApplication::activeModalWidget())->text();
            if (m_keys->tabTo("handoffCopy"))
                m_keys->press(Qt::Key_Space);
            m_keys->press(Qt::Key_Escape);
        });
        m_keys->press(Qt::Key_Space);
        QVERIFY(!text.isEmpty());
        QCOMPARE(QGuiApplication::clipboard()->text(), text);
    }

private:
    MainWindow& window() { return m_open->window(); }
    WindowViews& views() { return window().views(); }
    PlannerView& plan() { return *views().plan; }
    SpecSession& spec() { return m_open->services().spec; }

    QString verdict()
    {
        const auto* label = views().answer->findChild<QLabel*>(QStringLiteral("answerVerdict"));
        return views().answer->isComputing() || label == nullptr ? QString() : label->text();
    }

    // A training step of few ops and huge tensors, so that simulations take milliseconds.
    void ask(const char* batch)
    {
        m_keys->write(QStringLiteral("ltx-video-tiny"));
        QVERIFY(m_keys->tabTo("startLora"));
        m_keys->press(Qt::Key_Right);
        QCOMPARE(Keys::focus()->objectName(), QStringLiteral("startFull"));
        QVERIFY(m_keys->type("startSize-batch", QLatin1String(batch)));
        QVERIFY(m_keys->type("startSize-frames", QStringLiteral("257")));
        QVERIFY(m_keys->type("startSize-height", QStringLiteral("4096")));
        QVERIFY(m_keys->type("startSize-width", QStringLiteral("4096")));
    }

    void waitForThePlan()
    {
        QTRY_VERIFY_WITH_TIMEOUT(plan().plan() != nullptr, kFirstPageTaskMs);
        QVERIFY(plan().isVisible());
    }

    std::unique_ptr<OpenWindow> m_open;
    std::unique_ptr<Keys> m_keys;
};

HEADROOM_UI_TEST(FirstPageTasksTest)

} // namespace headroom::ui

#include "FirstPageTasksTest.moc"
