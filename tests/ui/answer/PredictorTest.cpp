// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/Predictor.h"

#include "tests/support/EnvironmentVariable.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/answer/Plans.h"
#include "tests/ui/answer/WorkerPids.h"

#include <QSignalSpy>

#include <csignal>

namespace headroom::ui {

class PredictorTest : public UiTest {
    Q_OBJECT

private:
    Predictor* warm()
    {
        m_predictor = std::make_unique<Predictor>();
        QSignalSpy warmed(m_predictor.get(), &Predictor::warmedUp);
        m_predictor->warmUp();
        if (!warmed.wait(60'000))
            QTest::qFail("the worker does not start", __FILE__, __LINE__);
        return m_predictor.get();
    }

    void ask(const config::Trial& trial)
    {
        m_predictor->predict(
            trial, this, [this](const Answer& answer) { m_answers.append(answer); },
            [this](const QString& message) { m_failures.append(message); });
    }

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_answers.clear();
        m_failures.clear();
    }

    void cleanup()
    {
        m_predictor.reset();
        QVERIFY(workerPids().empty());
    }

    void knowsTheCards()
    {
        m_predictor = std::make_unique<Predictor>();
        QVERIFY(QSignalSpy(m_predictor.get(), &Predictor::cardsLoaded).wait());
        const Card* card = m_predictor->cards().find(QStringLiteral("rtx4090"));
        QVERIFY(card != nullptr);
        QCOMPARE(card->title, QStringLiteral("NVIDIA GeForce RTX 4090"));
        QCOMPARE(card->usableBytes, Bytes{25384976384});
        QVERIFY(m_predictor->cards().find(QStringLiteral("cpu")) == nullptr);
        QCOMPARE(m_predictor->cards().runtimes.size(), std::size_t{2});
    }

    void aQuestionIsAnswered()
    {
        warm();
        ask(ltxPlan("\"all\"").front().trial);
        QTRY_COMPARE_WITH_TIMEOUT(m_answers.size(), 1, 30'000);
        QCOMPARE(m_answers.front()->verdict.kind, experiments::FitVerdict::Kind::Fits);
        QVERIFY(m_answers.front()->stepSeconds().has_value());
    }

    void onlyTheNewestIsDelivered()
    {
        warm();
        for (const char* policy : {"\"none\"", "\"every:2\"", "\"every:4\"", "\"all\""})
            ask(ltxPlan(policy).front().trial);
        QTRY_COMPARE_WITH_TIMEOUT(m_answers.size(), 1, 30'000);
        QCOMPARE(m_answers.front()->trial.configuration.techniques.at("checkpointing").notation, std::string("all"));
        QTest::qWait(50);
        QCOMPARE(m_answers.size(), 1);
    }

    void aKilledWorkerIsReplacedAndTheAnswerSaysSo()
    {
        warm();
        const std::vector<int> workers = workerPids();
        QCOMPARE(workers.size(), std::size_t{1});
        ::kill(workers.front(), SIGSTOP); // so that it dies with the question on its hands
        ask(ltxPlan("\"all\"").front().trial);
        QTest::qWait(50);
        QVERIFY(m_answers.isEmpty());
        ::kill(workers.front(), SIGKILL);
        QTRY_COMPARE_WITH_TIMEOUT(m_answers.size(), 1, 60'000);
        QCOMPARE(m_answers.front()->result.outcome, Outcome::Completed);
        QVERIFY(m_answers.front()->remark.contains(QStringLiteral("started again")));
        ask(smallPlan().front().trial);
        QTRY_COMPARE_WITH_TIMEOUT(m_answers.size(), 2, 30'000);
        QVERIFY(m_answers.last()->remark.isEmpty());
    }

    void aMissingWorkerIsSaid()
    {
        std::optional<EnvironmentVariable> worker(std::in_place, "HEADROOM_WORKER", "/nowhere/headroom-worker");
        m_predictor = std::make_unique<Predictor>();
        QSignalSpy failed(m_predictor.get(), &Predictor::failed);
        m_predictor->warmUp();
        QVERIFY(failed.wait());
        ask(smallPlan().front().trial);
        QTRY_COMPARE(m_failures.size(), 1);
        QVERIFY2(
            m_failures.front().contains(QStringLiteral("/nowhere/headroom-worker")), qPrintable(m_failures.front()));
        worker.reset();
        ask(smallPlan().front().trial); // it is there again
        QTRY_COMPARE_WITH_TIMEOUT(m_answers.size(), 1, 60'000);
    }

    void endsWhileAQuestionIsOpen()
    {
        warm();
        ask(ltxPlan("\"all\"").front().trial);
        m_predictor.reset();
        QVERIFY(m_answers.isEmpty());
        QVERIFY(workerPids().empty());
    }

private:
    std::unique_ptr<Predictor> m_predictor;
    QList<Answer> m_answers;
    QStringList m_failures;
};

HEADROOM_UI_TEST(PredictorTest)

} // namespace headroom::ui

#include "PredictorTest.moc"
