// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/RunService.h"

#include "profiling/store/ThreadWithoutFiles.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/support/EnvironmentVariable.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/runs/QueueFixture.h"

#include <QElapsedTimer>
#include <QSignalSpy>

#include <csignal>

namespace headroom::ui {

class RunServiceTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_fixture = std::make_unique<QueueFixture>();
    }
    void cleanup() { m_fixture.reset(); }

    void anExperimentIsRunToItsEnd()
    {
        const store::ThreadWithoutFiles withoutFiles;
        QueueFixture& f = *m_fixture;
        QSignalSpy stored(&f.service, &RunService::repeatStored);
        const int run = f.enqueue(kThree);
        QVERIFY(f.service.isBusy());
        QTRY_COMPARE(f.finished.size(), 1);
        QVERIFY(!f.service.isBusy());
        QCOMPARE(f.run(run)->state(), RunState::Finished);
        QVERIFY(f.finished[0].startsWith(QStringLiteral("three finished: 3 trials, 3 completed")));
        for (std::size_t trial = 0; trial < 3; ++trial) {
            QCOMPARE(f.state(run, trial), TrialState::Completed);
            QCOMPARE(f.run(run)->progress(trial).peakAllocated, std::optional<Bytes>(5000));
            QCOMPARE(f.run(run)->progress(trial).stepsPerSecond, std::optional<double>(2.0));
            QCOMPARE(f.run(run)->progress(trial).samples, 5);
        }
        QVERIFY(!stored.isEmpty());
        QCOMPARE(stored.last().at(0).toString(), QString::fromStdString(f.workspace().string()));
        QCOMPARE(f.service.statusText(), QStringLiteral("3 of 3 trials, done"));
    }

    void aWorkspaceThatIsDeletedEndsTheRunAndWhatWaitsBehindItWaits()
    {
        QueueFixture& f = *m_fixture;
        const std::optional<LostWorkspace>& lost = f.lost;
        f.script("slow");
        const int run = f.enqueue(kThree);
        const int next = f.enqueue(kThree);
        QTRY_COMPARE(f.state(run, 0), TrialState::Completed);
        std::filesystem::remove(f.workspace());
        QTRY_VERIFY(lost);
        QCOMPARE(lost->loss, WorkspaceLoss::Displaced);
        QCOMPARE(lost->workspace, QString::fromStdString(f.workspace().string()));
        QVERIFY(lost->run && !lost->run->repeats.empty());
        QCOMPARE(f.failures.size(), 1);
        QVERIFY(f.failures[0].contains(QStringLiteral("can be saved elsewhere")));
        QVERIFY(!f.service.isBusy());
        QVERIFY(f.service.isPaused());
        QCOMPARE(f.run(run)->state(), RunState::Failed);
        QCOMPARE(f.run(next)->state(), RunState::Waiting);
        QVERIFY(!std::filesystem::exists(f.workspace()));
    }

    void aWorkspaceThatRefusesARepeatEndsTheRunAndWhatHasFinishedIsHandedOver()
    {
        QueueFixture& f = *m_fixture;
        const std::optional<LostWorkspace>& lost = f.lost;
        f.script("slow");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.state(run, 0), TrialState::Completed);
        store::SqliteFile(f.workspace(), store::Access::ReadWrite, store::workspaceSchema(), store::kDefaultBusyTimeout)
            .execute("CREATE TRIGGER refusal BEFORE INSERT ON repeats BEGIN SELECT RAISE(ABORT, 'not today'); END");
        QTRY_COMPARE(f.failures.size(), 1);
        QVERIFY2(f.failures[0].contains(QStringLiteral("not today")), qPrintable(f.failures[0]));
        QVERIFY(lost);
        QCOMPARE(lost->loss, WorkspaceLoss::Refused);
        QVERIFY(lost->run && lost->run->repeats.size() >= 2); // the one that was refused included
    }

    void progressIsSeenWhileARepeatRuns()
    {
        QueueFixture& f = *m_fixture;
        f.script("hang@16");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.state(run, 1), TrialState::Running);
        QTRY_COMPARE(QString::fromStdString(f.run(run)->progress(1).phase), QStringLiteral("forward"));
        QTRY_COMPARE(f.run(run)->progress(1).step, 1);
        QCOMPARE(f.state(run, 2), TrialState::Waiting);
        QVERIFY(f.service.statusText().startsWith(QStringLiteral("1 of 3 trials, ")));
        QCOMPARE(f.service.progress().done, 1);
        QCOMPARE(f.service.progress().total, 3);
    }

    void aHangingTrialCanBeStoppedAndTheNextOneFollows()
    {
        QueueFixture& f = *m_fixture;
        f.script("hang@16");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.state(run, 1), TrialState::Running);
        f.service.stopTrial();
        QTRY_COMPARE(f.finished.size(), 1);
        QCOMPARE(f.state(run, 1), TrialState::Cancelled);
        QCOMPARE(f.state(run, 2), TrialState::Completed);
        QCOMPARE(f.run(run)->state(), RunState::Finished);
    }

    void aHangEndsAtTheTimeoutOfTheRequest()
    {
        QueueFixture& f = *m_fixture;
        f.script("hang@16");
        RunRequest request = QueueFixture::request(kThree, f.workspace());
        request.timeout = std::chrono::milliseconds(400);
        const int run = f.service.enqueue(std::move(request));
        QTRY_COMPARE(f.finished.size(), 1);
        QCOMPARE(f.state(run, 1), TrialState::TimedOut);
        QVERIFY(f.reason(run, 1).contains(QStringLiteral("no result within 0.4 s")));
        QCOMPARE(f.state(run, 2), TrialState::Completed);
    }

    void aCrashIsARowWithItsReasonAndTheNextTrialCompletes()
    {
        QueueFixture& f = *m_fixture;
        f.script("segv@16");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.finished.size(), 1);
        QCOMPARE(f.state(run, 1), TrialState::Failed);
        QVERIFY(f.reason(run, 1).contains(QStringLiteral("signal 11")));
        QCOMPARE(f.state(run, 2), TrialState::Completed);
    }

    void aWorkerKilledFromOutsideIsARowToo()
    {
        QueueFixture& f = *m_fixture;
        f.script("hang@16");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.logged(QStringLiteral("request")).size(), 2);
        const int worker = f.logged(QStringLiteral("start")).last().section(u' ', 1).toInt();
        QVERIFY(worker > 1);
        QCOMPARE(::kill(worker, SIGKILL), 0);
        QTRY_COMPARE(f.finished.size(), 1);
        QCOMPARE(f.state(run, 1), TrialState::Failed);
        QVERIFY(f.reason(run, 1).contains(QStringLiteral("SIGKILL")));
        QCOMPARE(f.state(run, 2), TrialState::Completed);
    }

    void outOfMemoryIsAResultThatSaysWhatItNeeds()
    {
        QueueFixture& f = *m_fixture;
        f.script("oom@16");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.finished.size(), 1);
        QCOMPARE(f.state(run, 1), TrialState::OutOfMemory);
        QCOMPARE(f.run(run)->progress(1).shortage,
            std::string("needs at least 96 B more than usable; first failed in forward for 4 KiB"));
        QVERIFY(!f.run(run)->canRetry(1));
        QVERIFY(!f.service.queue().hasRetriable());
    }

    void aPauseTakesEffectAfterTheRunningRepeatAndResumeGoesOn()
    {
        QueueFixture& f = *m_fixture;
        f.script("slow");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.state(run, 0), TrialState::Running);
        f.service.pause();
        QVERIFY(f.service.isPausing());
        QTRY_COMPARE(f.run(run)->state(), RunState::Paused);
        // Usually one. On a busy machine the first may have ended before it is known here that it runs.
        const int done = static_cast<int>(f.requested().size());
        QVERIFY(done == 1 || done == 2);
        for (int trial = 0; trial < 3; ++trial)
            QCOMPARE(f.state(run, trial), trial < done ? TrialState::Completed : TrialState::Waiting);
        QCOMPARE(f.service.statusText(), QStringLiteral("%1 of 3 trials, paused").arg(done));
        f.service.resume();
        QTRY_COMPARE(f.finished.size(), 1);
        QCOMPARE(f.requested().size(), 3);
    }

    void aTrialBetweenItsRepeatsShowsThePause()
    {
        QueueFixture& f = *m_fixture;
        f.script("slow");
        const int run = f.enqueue(std::string(kThree) + "protocol.repeats = 2\n");
        QTRY_COMPARE(f.state(run, 0), TrialState::Running);
        f.service.pause();
        QTRY_COMPARE(f.state(run, 0), TrialState::Paused);
        QCOMPARE(f.state(run, 1), TrialState::Waiting);
        f.service.resume();
        QTRY_COMPARE(f.finished.size(), 1);
        QCOMPARE(f.requested().size(), 6);
    }

    void aStopKeepsWhatIsFinishedAndWhatWaitsBehindItWaits()
    {
        QueueFixture& f = *m_fixture;
        f.script("hang@16");
        const int run = f.enqueue(kThree);
        const int next = f.enqueue("name = \"next\"\n");
        QTRY_COMPARE(f.state(run, 1), TrialState::Running);
        f.service.stop();
        QTRY_COMPARE(f.finished.size(), 1);
        QCOMPARE(f.run(run)->state(), RunState::Stopped);
        QCOMPARE(f.state(run, 0), TrialState::Completed);
        QCOMPARE(f.state(run, 1), TrialState::Cancelled);
        QCOMPARE(f.state(run, 2), TrialState::NotRun);
        QCOMPARE(f.run(next)->state(), RunState::Waiting);
        QVERIFY(!f.service.isBusy());
        QVERIFY(f.service.isPaused());
        auto workspace = store::Workspace::open(f.workspace(), store::Access::ReadOnly);
        QCOMPARE(workspace.repeats(workspace.trials(1)[0].id).size(), 1u);
        f.service.resume();
        QTRY_COMPARE(f.finished.size(), 2);
        QCOMPARE(f.run(next)->state(), RunState::Finished);
    }

    void whatIsRunningWhenTheServiceGoesIsStoppedAndFinishedTrialsAreKept()
    {
        QueueFixture& f = *m_fixture;
        f.script("hang@16");
        auto service = std::make_unique<RunService>();
        service->enqueue(QueueFixture::request(kThree, f.workspace()));
        QTRY_COMPARE(f.logged(QStringLiteral("request")).size(), 2);
        service.reset();
        auto workspace = store::Workspace::open(f.workspace(), store::Access::ReadOnly);
        QCOMPARE(workspace.repeats(workspace.trials(1)[0].id).size(), 1u);
        QCOMPARE(workspace.repeats(workspace.trials(1)[1].id).size(), 0u);
    }

    void aPausedServiceCanGoToo()
    {
        QueueFixture& f = *m_fixture;
        f.script("slow");
        auto service = std::make_unique<RunService>();
        const int run = service->enqueue(QueueFixture::request(kThree, f.workspace()));
        service->pause();
        QTRY_COMPARE(service->queue().find(run)->state(), RunState::Paused);
        service.reset();
        QVERIFY(f.requested().size() < 3);
    }

    void aRetryRunsOnlyWhatFailed()
    {
        QueueFixture& f = *m_fixture;
        f.script("segv@16");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.finished.size(), 1);
        QVERIFY(f.service.queue().hasRetriable());
        f.script("");
        f.service.retry({f.id(run, 0), f.id(run, 1)});
        QCOMPARE(f.state(run, 0), TrialState::Completed);
        QTRY_COMPARE(f.finished.size(), 2);
        QCOMPARE(f.state(run, 1), TrialState::Completed);
        QCOMPARE(f.requested().size(), 4);
        QVERIFY(!f.service.queue().hasRetriable());
        auto workspace = store::Workspace::open(f.workspace(), store::Access::ReadOnly);
        QCOMPARE(workspace.experiments().size(), 1u);
        QCOMPARE(workspace.repeats(workspace.trials(1)[1].id)[0].outcome, Outcome::Completed);
    }

    void aRetryAskedForWhileTheRunGoesOnFollowsIt()
    {
        QueueFixture& f = *m_fixture;
        f.script("exit@8");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.state(run, 0), TrialState::Failed);
        f.service.pause();
        f.script("");
        f.service.retryAllFailed();
        QCOMPARE(f.state(run, 0), TrialState::Waiting);
        f.service.resume();
        QTRY_COMPARE(f.finished.size(), 2);
        QCOMPARE(f.state(run, 0), TrialState::Completed);
        QCOMPARE(f.requested().size(), 4);
    }

    void whatAStopLeftIsRunByARetry()
    {
        QueueFixture& f = *m_fixture;
        f.script("hang@16");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.state(run, 1), TrialState::Running);
        f.service.stop();
        QTRY_COMPARE(f.finished.size(), 1);
        f.script("");
        f.service.retryAllFailed();
        QTRY_COMPARE(f.finished.size(), 2);
        QCOMPARE(f.state(run, 1), TrialState::Completed);
        QCOMPARE(f.state(run, 2), TrialState::Completed);
    }

    void aWorkerThatIsNotThereIsASentenceAndTheProgramGoesOn()
    {
        QueueFixture& f = *m_fixture;
        std::optional<EnvironmentVariable> missing(std::in_place, "HEADROOM_WORKER", "/nowhere/headroom-worker");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.failures.size(), 1);
        QVERIFY(f.failures[0].contains(QStringLiteral("HEADROOM_WORKER")));
        QCOMPARE(f.run(run)->state(), RunState::Failed);
        QCOMPARE(f.state(run, 0), TrialState::NotRun);
        missing.reset();
        f.service.retryAllFailed();
        QTRY_COMPARE(f.finished.size(), 1);
        QCOMPARE(f.state(run, 2), TrialState::Completed);
    }

    void aWorkspaceThatCannotBeWrittenIsASentence()
    {
        QueueFixture& f = *m_fixture;
        f.service.enqueue(QueueFixture::request(kThree, f.workspace() / "no" / "folder.db"));
        QTRY_COMPARE(f.failures.size(), 1);
        QVERIFY2(f.failures[0].contains(QStringLiteral("another workspace")), qPrintable(f.failures[0]));
        f.enqueue(kThree);
        QTRY_COMPARE(f.finished.size(), 1);
    }

    void anExperimentThatCannotBeRunSaysWhatToChange()
    {
        QueueFixture& f = *m_fixture;
        const int run = f.enqueue("device.name = \"sim:abacus\"\n");
        QTRY_COMPARE(f.failures.size(), 1);
        QVERIFY(f.failures[0].contains(QStringLiteral("abacus")));
        QVERIFY(f.failures[0].endsWith(QStringLiteral("Change the experiment and run it again.")));
        QCOMPARE(f.run(run)->message(), f.failures[0]);
    }

    void theTimeLeftComesFromFinishedRepeatsOfTheKind()
    {
        QueueFixture& f = *m_fixture;
        f.script("slow@16");
        f.enqueue(kThree);
        QVERIFY(!f.service.progress().secondsLeft.has_value());
        QTRY_COMPARE(f.finished.size(), 1);
        f.script("slow");
        f.service.enqueue(QueueFixture::request("name = \"more\"\nprotocol.repeats = 50\n", f.workspace()));
        QVERIFY(f.service.progress().secondsLeft.value_or(0) > 0);
        f.service.enqueue(QueueFixture::request("device.name = \"sim:t4\"\n", f.workspace()));
        QVERIFY(!f.service.progress().secondsLeft.has_value());
    }

    void theWorkersLogArrivesWithItsTrial()
    {
        QueueFixture& f = *m_fixture;
        f.script("talk@16");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.finished.size(), 1);
        const auto found = std::find_if(
            f.log.begin(), f.log.end(), [](const LogLine& line) { return line.source == LogSource::Worker; });
        QVERIFY(found != f.log.end());
        QCOMPARE(found->text, QStringLiteral("first remark"));
        QCOMPARE(found->trialId, f.id(run, 1));
        QVERIFY(found->time.isValid());
    }

    void thousandsOfSimulatedTrialsAreFewDeliveries()
    {
        QueueFixture& f = *m_fixture;
        std::string seeds;
        for (int i = 0; i < 5000; ++i)
            seeds += std::to_string(i) + ",";
        int deliveries = 0;
        connect(&f.service, &RunService::changed, this, [&] { ++deliveries; });
        QSignalSpy stored(&f.service, &RunService::repeatStored);
        QElapsedTimer time;
        time.start();
        const int run = f.enqueue("device.name = \"sim:t4\"\nworkload.seed = [" + seeds + "]\nprotocol.steps = 1\n");
        QTRY_COMPARE_WITH_TIMEOUT(f.finished.size(), 1, 110'000);
        const auto tenths = time.elapsed() / 100;
        QVERIFY2(deliveries <= tenths + 4, qPrintable(QString::number(deliveries)));
        QVERIFY(stored.size() <= tenths / 10 + 2);
        QCOMPARE(f.run(run)->counts().done, 5000);
    }

private:
    std::unique_ptr<QueueFixture> m_fixture;
};

HEADROOM_UI_TEST(RunServiceTest)

} // namespace headroom::ui

#include "RunServiceTest.moc"
