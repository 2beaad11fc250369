// SPDX-License-Identifier: Apache-2.0
//
// What a new user came for, from the first page, by keys alone: will it fit, and make it fit.
#include "tests/ui/UiTest.h"
#include "tests/ui/window/Keys.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/answer/LiveAnswer.h"
#include "ui/plan/PlannerView.h"
#include "ui/start/FirstRunPage.h"
#include "ui/start/QuestionForm.h"

#include <QLabel>

namespace headroom::ui {
namespace {

constexpr int kLongestTaskMs = 240'000; ///< a machine that does other things as well

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
        QTRY_VERIFY_WITH_TIMEOUT(m_open->services().predictor.cards().cards.size() > 0, kLongestTaskMs);
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
        QTRY_VERIFY_WITH_TIMEOUT(verdict().startsWith(QStringLiteral("Fits: needs ")), kLongestTaskMs);
    }

    // Enter on the answer puts it into the form, whose live answer agrees.
    void makeItFit()
    {
        ask("24");
        m_keys->press(Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(plan().isSearching(), kLongestTaskMs);
        waitForThePlan();
        QVERIFY(plan().plan()->asked.verdict.freeBytes().value_or(0) < 0);
        const std::string before = spec().text();
        QTRY_COMPARE(Keys::focus()->objectName(), QStringLiteral("planTable"));
        m_keys->press(Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!spec().isPlanning(), kLongestTaskMs);
        QCOMPARE(spec().plan()->trials.size(), std::size_t(1));
        QCOMPARE(spec().plan()->trials.front().trial, plan().plan()->answer->trial);
        QTRY_VERIFY_WITH_TIMEOUT(verdict().startsWith(QStringLiteral("Fits: needs ")), kLongestTaskMs);
        m_keys->press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(spec().text(), before);
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
        QTRY_VERIFY_WITH_TIMEOUT(plan().plan() != nullptr, kLongestTaskMs);
        QVERIFY(plan().isVisible());
    }

    std::unique_ptr<OpenWindow> m_open;
    std::unique_ptr<Keys> m_keys;
};

HEADROOM_UI_TEST(FirstPageTasksTest)

} // namespace headroom::ui

#include "FirstPageTasksTest.moc"
