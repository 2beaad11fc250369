// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/QueueText.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/runs/QueueFixture.h"
#include "ui/runs/QueuedRun.h"

namespace headroom::ui {

class QueueTextTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void stepsOutsideOfTheTimedOnesAreNotNumbered()
    {
        RepeatTimes times;
        QueuedRun run(1, QueueFixture::request("protocol.steps = 7\nprotocol.repeats = 2\n", {}), times);
        run.begin();
        const auto doing = [&](const char* phase, std::int64_t step, int finishedRepeats = 0) {
            TrialProgress progress;
            progress.finishedRepeats = finishedRepeats;
            progress.state = TrialState::Running;
            progress.phase = phase;
            progress.step = step;
            RunBatch batch;
            batch.trials.push_back(progress);
            run.apply(batch, times);
            return doingText(run, 0);
        };
        QCOMPARE(doing("load", 0), QStringLiteral("load, repeat 1 of 2"));
        QCOMPARE(doing("forward", 0), QStringLiteral("forward, warm-up, repeat 1 of 2"));
        QCOMPARE(doing("backward", 3), QStringLiteral("backward, step 3 of 7, repeat 1 of 2"));
        QCOMPARE(doing("backward", 9), QStringLiteral("backward, step 9, repeat 1 of 2"));
        QCOMPARE(doing("forward", 1, 2), QStringLiteral("forward, step 1 of 7, measured again"));
        QCOMPARE(doing("plain_warmup", 0), QStringLiteral("plain warmup, repeat 1 of 2"));
    }

    void whatMovesKeepsItsOrder()
    {
        const std::vector<int> list{1, 2, 3, 4, 5};
        const auto isEven = [](int number) { return number % 2 == 0; };
        QCOMPARE(moved(list, isEven, QueueMove::Up), (std::vector<int>{2, 1, 4, 3, 5}));
        QCOMPARE(moved(list, isEven, QueueMove::Down), (std::vector<int>{1, 3, 2, 5, 4}));
        QCOMPARE(moved(list, isEven, QueueMove::ToTop), (std::vector<int>{2, 4, 1, 3, 5}));
        QCOMPARE(movedTo(list, isEven, 5), (std::vector<int>{1, 3, 5, 2, 4}));
        QCOMPARE(movedTo(list, isEven, 3), (std::vector<int>{1, 3, 2, 4, 5}));
    }

    void timesOfOneKindSayNothingOfTheOther()
    {
        RepeatTimes times;
        const auto kind = [&](const std::string& device) {
            return times.kindOf(QueueFixture::request("device.name = \"" + device + "\"\n", {}).trials[0]);
        };
        const std::size_t cpu = kind("cpu");
        const std::size_t t4 = kind("sim:t4");
        const std::size_t h200 = kind("sim:h200");
        QCOMPARE(kind("cpu"), cpu);
        times.add(cpu, std::chrono::seconds(10));
        QVERIFY(!times.expected(t4));
        times.add(t4, std::chrono::seconds(1));
        times.add(t4, std::chrono::seconds(3));
        QCOMPARE(times.expected(h200)->count(), 2.0);
        QCOMPARE(times.expected(cpu)->count(), 10.0);
    }
};

HEADROOM_UI_TEST(QueueTextTest)

} // namespace headroom::ui

#include "QueueTextTest.moc"
