// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/RunQueue.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/runs/QueueFixture.h"

namespace headroom::ui {

class RunQueueTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_fixture = std::make_unique<QueueFixture>();
    }
    void cleanup() { m_fixture.reset(); }

    void experimentsAreRunInTheOrderOfTheQueue()
    {
        QueueFixture& f = *m_fixture;
        f.script("slow");
        f.enqueue("name = \"a\"\n");
        f.enqueue("name = \"b\"\n");
        const int c = f.enqueue("name = \"c\"\n");
        const int d = f.enqueue("name = \"d\"\n");
        f.service.queue().move(c, QueueMove::ToTop);
        f.service.queue().remove(d);
        QTRY_COMPARE(f.finished.size(), 3);
        QVERIFY(f.finished[1].startsWith(QStringLiteral("c ")));
        QVERIFY(f.finished[2].startsWith(QStringLiteral("b ")));
    }

    void anExperimentThatRunsCannotBeRemoved()
    {
        QueueFixture& f = *m_fixture;
        f.script("slow");
        const int run = f.enqueue(kThree);
        f.service.queue().remove(run);
        QVERIFY(f.run(run) != nullptr);
        QTRY_COMPARE(f.finished.size(), 1);
        f.service.queue().remove(run);
        QVERIFY(f.run(run) == nullptr);
    }

    void theOrderOfTrialsIsTheOrderOfExecution()
    {
        QueueFixture& f = *m_fixture;
        f.script("slow");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.state(run, 0), TrialState::Running);
        f.service.queue().moveTrials(run, {2}, QueueMove::ToTop);
        QCOMPARE(f.run(run)->order(), (std::vector<std::size_t>{0, 2, 1}));
        QTRY_COMPARE(f.finished.size(), 1);
        QCOMPARE(f.requested(), (QStringList{f.id(run, 0), f.id(run, 2), f.id(run, 1)}));
    }

    void theOrderGivenBeforeTheStartHoldsToo()
    {
        QueueFixture& f = *m_fixture;
        f.script("slow@8");
        f.enqueue("name = \"first\"\nworkload.sequence_length = 8\n");
        const int run = f.enqueue(kThree);
        f.service.queue().moveTrials(run, {2}, QueueMove::ToTop);
        f.service.queue().removeTrials(run, {1});
        QTRY_COMPARE(f.finished.size(), 2);
        QCOMPARE(f.requested().mid(1), (QStringList{f.id(run, 2), f.id(run, 0)}));
        QVERIFY(f.finished[1].startsWith(QStringLiteral("three finished: 2 trials, 2 completed")));
    }

    void aTrialRemovedFromARunIsNotRun()
    {
        QueueFixture& f = *m_fixture;
        f.script("slow");
        const int run = f.enqueue(kThree);
        QTRY_COMPARE(f.state(run, 0), TrialState::Running);
        f.service.queue().removeTrials(run, {0, 1});
        QCOMPARE(f.run(run)->order(), (std::vector<std::size_t>{0, 2}));
        QTRY_COMPARE(f.finished.size(), 1);
        QCOMPARE(f.requested(), (QStringList{f.id(run, 0), f.id(run, 2)}));
        QCOMPARE(f.service.statusText(), QStringLiteral("2 of 2 trials, done"));
    }

private:
    std::unique_ptr<QueueFixture> m_fixture;
};

HEADROOM_UI_TEST(RunQueueTest)

} // namespace headroom::ui

#include "RunQueueTest.moc"
