// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/LiveAnswer.h"

#include "core/base/Quantities.h"
#include "core/config/Installation.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/results/Shortage.h"
#include "experiments/run/RepeatExecutor.h"
#include "tests/support/EnvironmentVariable.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/answer/Plans.h"

#include <QSignalSpy>

namespace headroom::ui {
namespace {

constexpr int kAnswerPatience = 60'000; ///< milliseconds

QString textOf(const LiveAnswer& view, const char* name)
{
    return view.findChild<QLabel*>(QString::fromLatin1(name))->text();
}

QToolButton* buttonOf(const LiveAnswer& view, const char* name)
{
    return view.findChild<QToolButton*>(QString::fromLatin1(name));
}

LiveAnswer::Trials shared(std::vector<experiments::PlannedTrial> plan)
{
    return std::make_shared<const std::vector<experiments::PlannedTrial>>(std::move(plan));
}

} // namespace

class LiveAnswerTest : public UiTest {
    Q_OBJECT

private:
    void answerTo(std::vector<experiments::PlannedTrial> trials, int experiment = 0)
    {
        QSignalSpy answered(m_view.get(), &LiveAnswer::answered);
        m_view->setTrials(shared(std::move(trials)), {}, experiment);
        QVERIFY(answered.wait(kAnswerPatience));
    }

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_theme = std::make_unique<Theme>();
        m_predictor = std::make_unique<Predictor>();
        m_view = std::make_unique<LiveAnswer>(*m_theme, *m_predictor);
    }

    void cleanup()
    {
        m_view.reset();
        m_predictor.reset();
        m_theme.reset();
        QLocale::setDefault(QLocale::c());
    }

    void explainsItselfWhenEmpty()
    {
        QVERIFY(textOf(*m_view, "answerVerdict").startsWith(QStringLiteral("No experiment yet")));
        m_view->setTrials({});
        QVERIFY(!m_view->isComputing());
    }

    void aChangeIsAnsweredWithWhatItChanged()
    {
        answerTo(ltxPlan("\"none\""));
        QVERIFY2(textOf(*m_view, "answerVerdict").startsWith(QStringLiteral("Fits: ")),
            qPrintable(textOf(*m_view, "answerVerdict")));
        QVERIFY(textOf(*m_view, "answerSpeed").startsWith(QStringLiteral("Predicted ")));
        QCOMPARE(textOf(*m_view, "answerLastChange"), QString());
        answerTo(ltxPlan("\"all\""));
        const QString change = textOf(*m_view, "answerLastChange");
        QVERIFY2(change.startsWith(QStringLiteral("Last change: checkpointing none → all: -")), qPrintable(change));
        QVERIFY(change.contains(QStringLiteral("speed -")));
        QCOMPARE(m_view->accessibleDescription(), m_view->sentence());
    }

    void anotherExperimentIsNoChangeOfTheUsers()
    {
        answerTo(ltxPlan("\"none\""), 1);
        answerTo(ltxPlan("\"all\""), 2);
        QCOMPARE(textOf(*m_view, "answerLastChange"), QString());
        answerTo(ltxPlan("\"none\""), 2);
        QVERIFY(textOf(*m_view, "answerLastChange").contains(QStringLiteral("checkpointing all → none")));
        answerTo(ltxPlan("\"all\""), 3);
        QCOMPARE(textOf(*m_view, "answerLastChange"), QString());
    }

    void theAnswerOfOneExperimentIsNotSeenUnderAnother()
    {
        answerTo(ltxPlan("[\"none\", \"every:2\"]"), 1);
        m_view->showNext();
        const QString before = textOf(*m_view, "answerVerdict");
        QTRY_VERIFY_WITH_TIMEOUT(!m_view->isComputing(), kAnswerPatience);
        QSignalSpy answered(m_view.get(), &LiveAnswer::answered);
        m_view->setTrials(shared(ltxPlan("[\"all\", \"every:4\"]")), {}, 2);
        QVERIFY(m_view->isComputing());
        QVERIFY(m_view->answer() == nullptr);
        QCOMPARE(textOf(*m_view, "answerVerdict"), QStringLiteral("Predicting the first answer."));
        QCOMPARE(textOf(*m_view, "answerSpeed"), QString());
        QVERIFY(m_view->findChild<MemoryBar*>(QStringLiteral("answerBar"))->isEmpty());
        QVERIFY(textOf(*m_view, "answerPlace").startsWith(QStringLiteral("combination 1 of 2")));
        QVERIFY(answered.wait(kAnswerPatience));
        QVERIFY(textOf(*m_view, "answerVerdict") != before);
    }

    void whatIsTypedAndNotTakenIsSaidBesideTheAnswer()
    {
        m_view->show();
        answerTo(smallPlan());
        const auto* draft = m_view->findChild<QLabel*>(QStringLiteral("answerDraft"));
        QVERIFY(!draft->isVisible());
        m_view->setDraft(QStringLiteral("For batch 1, not what is typed."));
        QVERIFY(draft->isVisible());
        QCOMPARE(draft->palette().color(QPalette::WindowText), m_theme->alarm());
        QVERIFY(m_view->sentence().contains(QStringLiteral("For batch 1, not what is typed.")));
        QCOMPARE(m_view->accessibleDescription(), m_view->sentence());
        m_view->setDraft({});
        QVERIFY(!draft->isVisible());
    }

    void whereAnotherQuestionIsInFrontTheAnswerSaysWhatItIsOf()
    {
        m_view->show();
        answerTo(smallPlan());
        const auto* subject = m_view->findChild<QLabel*>(QStringLiteral("answerSubject"));
        QVERIFY(!subject->isVisible());
        m_view->setSubjectShown(true);
        QVERIFY(subject->isVisible());
        QVERIFY(m_view->accessibleDescription().startsWith(subject->text()));
        m_view->setSubjectShown(false);
        QVERIFY(!m_view->sentence().contains(subject->text()));
    }

    void theOldAnswerStaysWhileTheNextIsComputed()
    {
        answerTo(ltxPlan("\"none\""));
        const QString before = textOf(*m_view, "answerVerdict");
        QSignalSpy answered(m_view.get(), &LiveAnswer::answered);
        m_view->setTrials(shared(ltxPlan("\"all\"")));
        QVERIFY(m_view->isComputing());
        QCOMPARE(textOf(*m_view, "answerVerdict"), before);
        QVERIFY(!m_view->findChild<QLabel*>(QStringLiteral("answerVerdict"))->isEnabled());
        QVERIFY(answered.wait(kAnswerPatience));
        QVERIFY(!m_view->isComputing());
        QVERIFY(m_view->findChild<QLabel*>(QStringLiteral("answerVerdict"))->isEnabled());
    }

    void whatDoesNotFitIsSaidAsARunSaysIt()
    {
        QLocale::setDefault(QLocale(QLocale::German));
        const auto plan = ltxPlan("\"none\"", "sim:rtx4090", 2);
        answerTo(plan);
        experiments::RepeatExecutor executor(config::workerProgram(), {});
        const auto result =
            experiments::trialResult("test", plan.front(), {executor.carryOut(plan.front(), 0, {}, {}, {})});
        QCOMPARE(result.outcome, Outcome::OutOfMemory);
        const auto& facts = *m_view->answer()->verdict.outOfMemory;
        QCOMPARE(facts.missingBytes, result.outOfMemory->missingBytes);
        QCOMPARE(textOf(*m_view, "answerVerdict"),
            QString::fromStdString("Does not fit: " + experiments::shortageText(result)));
        const QString details = m_view->findChild<QLabel*>(QStringLiteral("answerVerdict"))->toolTip();
        QVERIFY(details.contains(QString::fromStdString(sizeText(*facts.missingBytes))));
        QVERIFY(m_view->findChild<QPushButton*>(QStringLiteral("answerMakeItFit"))->isEnabled());
    }

    void stepsThroughTheCombinationsThatCanRun()
    {
        auto plan = ltxPlan("[\"none\", \"all\", \"every:2\"]");
        plan[1].conflicts = {"cannot work"};
        answerTo(plan);
        QVERIFY(textOf(*m_view, "answerPlace").startsWith(QStringLiteral("combination 1 of 2")));
        QVERIFY(!buttonOf(*m_view, "answerPrevious")->isEnabled());
        QSignalSpy answered(m_view.get(), &LiveAnswer::answered);
        buttonOf(*m_view, "answerNext")->click();
        QVERIFY(answered.wait(kAnswerPatience));
        QVERIFY(textOf(*m_view, "answerPlace").startsWith(QStringLiteral("combination 2 of 2")));
        QVERIFY(!buttonOf(*m_view, "answerNext")->isEnabled());
        QVERIFY(textOf(*m_view, "answerLastChange").contains(QStringLiteral("checkpointing none → every:2")));
    }

    void aPlanInWhichNothingCanRunSaysWhy()
    {
        auto plan = smallPlan();
        plan.front().conflicts = {"a stack needs a layer"};
        m_view->setTrials(shared(plan));
        QCOMPARE(textOf(*m_view, "answerVerdict"), QStringLiteral("No combination can run."));
        QCOMPARE(textOf(*m_view, "answerRemark"), QStringLiteral("a stack needs a layer"));
    }

    void withoutACombinationNoAnswerIsLeft()
    {
        answerTo(smallPlan());
        QVERIFY(!textOf(*m_view, "answerSpeed").isEmpty());
        QSignalSpy answered(m_view.get(), &LiveAnswer::answered);
        m_view->setTrials(shared(smallPlan("\"2\"")));
        m_view->setTrials({}); // while that is predicted
        QVERIFY(!answered.wait(1000));
        QVERIFY(textOf(*m_view, "answerVerdict").startsWith(QStringLiteral("No experiment yet")));
        QCOMPARE(textOf(*m_view, "answerSpeed"), QString());
        QCOMPARE(textOf(*m_view, "answerLastChange"), QString());
        QVERIFY(m_view->findChild<MemoryBar*>(QStringLiteral("answerBar"))->isEmpty());
        m_view->setTrials({}, QStringLiteral("model.dim is no number"));
        QCOMPARE(textOf(*m_view, "answerRemark"), QStringLiteral("model.dim is no number"));
        answerTo(smallPlan());
        QVERIFY(!m_view->findChild<MemoryBar*>(QStringLiteral("answerBar"))->isEmpty());
    }

    void anotherCardIsAnotherAnswer()
    {
        answerTo(ltxPlan("\"none\"", "sim:rtx4090", 2));
        QSignalSpy answered(m_view.get(), &LiveAnswer::answered);
        m_view->restore({{QStringLiteral("card"), QStringLiteral("h200")}});
        QVERIFY(answered.wait(kAnswerPatience));
        QVERIFY(textOf(*m_view, "answerVerdict").startsWith(QStringLiteral("Fits: ")));
        QVERIFY(textOf(*m_view, "answerLastChange").contains(QStringLiteral("card rtx4090 → h200")));
        QCOMPARE(m_view->state().value(QStringLiteral("card")).toString(), QStringLiteral("h200"));
    }

    void aPredictionThatWasGivenUpIsAskedForAgainByItself()
    {
        const EnvironmentVariable worker("HEADROOM_WORKER", SCRIPTED_WORKER);
        auto hangs = std::make_unique<EnvironmentVariable>("HEADROOM_SCRIPT", "hang");
        m_view.reset();
        m_predictor = std::make_unique<Predictor>(nullptr, std::chrono::seconds(2));
        m_view = std::make_unique<LiveAnswer>(*m_theme, *m_predictor);
        m_view->show();
        const QSignalSpy answered(m_view.get(), &LiveAnswer::answered);
        QSignalSpy failed(m_view.get(), &LiveAnswer::failed);
        m_view->setTrials(shared(smallPlan()));
        QVERIFY(failed.wait(kAnswerPatience));
        const auto* again = m_view->findChild<QPushButton*>(QStringLiteral("answerAgain"));
        QVERIFY2(again->isVisible(), qPrintable(m_view->sentence()));
        QVERIFY(failed.wait(kAnswerPatience)); // by itself, while the machine is as busy
        hangs.reset();
        QTRY_COMPARE_WITH_TIMEOUT(answered.count(), 1, kAnswerPatience);
        QVERIFY(!again->isVisible());
        QVERIFY2(textOf(*m_view, "answerRemark").isEmpty(), qPrintable(textOf(*m_view, "answerRemark")));
    }

    void aMissingWorkerIsASentence()
    {
        const EnvironmentVariable worker("HEADROOM_WORKER", "/nowhere/headroom-worker");
        QSignalSpy failed(m_view.get(), &LiveAnswer::failed);
        m_view->setTrials(shared(smallPlan()));
        QVERIFY(failed.wait());
        QCOMPARE(textOf(*m_view, "answerVerdict"), QStringLiteral("No prediction."));
        QVERIFY(textOf(*m_view, "answerRemark").contains(QStringLiteral("/nowhere/headroom-worker")));
        QVERIFY(!m_view->isComputing());
    }

private:
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<Predictor> m_predictor;
    std::unique_ptr<LiveAnswer> m_view;
};

HEADROOM_UI_TEST(LiveAnswerTest)

} // namespace headroom::ui

#include "LiveAnswerTest.moc"
