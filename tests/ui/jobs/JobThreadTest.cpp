// SPDX-License-Identifier: Apache-2.0
#include "ui/jobs/JobThread.h"

#include "core/base/Error.h"
#include "tests/ui/UiTest.h"

#include <atomic>
#include <latch>

namespace headroom::ui {

class JobThreadTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void resultsArriveOnTheThreadOfTheReceiver()
    {
        JobThread jobs(QStringLiteral("jobs"));
        Qt::HANDLE worked = nullptr;
        Qt::HANDLE delivered = nullptr;
        int result = 0;
        jobs.run(
            this,
            [&](std::stop_token) {
                worked = QThread::currentThreadId();
                return 42;
            },
            [&](int value) {
                delivered = QThread::currentThreadId();
                result = value;
            },
            {});
        QTRY_COMPARE(result, 42);
        QCOMPARE(delivered, QThread::currentThreadId());
        QVERIFY(worked != delivered);
    }

    void anErrorArrivesAsItsMessage()
    {
        JobThread jobs(QStringLiteral("jobs"));
        QString message;
        jobs.run(
            this, [](std::stop_token) { throw FileError("cannot be read", "a.db"); }, [] { QFAIL("delivered"); },
            [&](const QString& text) { message = text; });
        QTRY_VERIFY(message.contains(QStringLiteral("cannot be read")));
    }

    void onlyTheNewestOfATopicIsDelivered()
    {
        JobThread jobs(QStringLiteral("jobs"));
        std::latch begun(1);
        std::latch mayEnd(1);
        QList<int> delivered;
        const auto deliver = [&](int value) { delivered.append(value); };
        const auto job = [&](int value) { return [value](std::stop_token) { return value; }; };
        jobs.runNewest(QStringLiteral("topic"), this,
            [&](std::stop_token) {
                begun.count_down();
                mayEnd.wait();
                return 1;
            },
            deliver, {});
        begun.wait();
        jobs.runNewest(QStringLiteral("topic"), this, job(2), deliver, {});
        jobs.runNewest(QStringLiteral("topic"), this, job(3), deliver, {});
        jobs.run(this, job(4), deliver, {});
        mayEnd.count_down();
        QTRY_COMPARE(delivered, (QList<int>{3, 4}));
    }

    void aResultThatIsOnItsWayIsDroppedForANewerOne()
    {
        JobThread jobs(QStringLiteral("jobs"));
        QList<int> delivered;
        const auto deliver = [&](int value) { delivered.append(value); };
        const auto job = [&](int value) { return [value](std::stop_token) { return value; }; };
        jobs.runNewest(QStringLiteral("topic"), this, job(1), deliver, {});
        while (!jobs.isIdle()) // no event is handled meanwhile
            std::this_thread::yield();
        jobs.runNewest(QStringLiteral("topic"), this, job(2), deliver, {});
        jobs.runNewest(QStringLiteral("other topic"), this, job(3), deliver, {});
        QTRY_COMPARE(delivered, (QList<int>{2, 3}));
    }

    void whatAReceiverThatIsGoneWaitedForIsDropped()
    {
        JobThread jobs(QStringLiteral("jobs"));
        std::latch mayEnd(1);
        bool delivered = false;
        auto receiver = std::make_unique<QObject>();
        jobs.run(receiver.get(), [&](std::stop_token) { mayEnd.wait(); }, [&] { delivered = true; }, {});
        receiver.reset();
        mayEnd.count_down();
        QTRY_VERIFY(jobs.isIdle());
        QCoreApplication::processEvents();
        QVERIFY(!delivered);
    }

    void theEndStopsTheRunningJobAndCleansUpOnTheThread()
    {
        std::latch begun(1);
        Qt::HANDLE worked = nullptr;
        Qt::HANDLE cleaned = nullptr;
        {
            JobThread jobs(QStringLiteral("jobs"));
            jobs.setCleanup([&] { cleaned = QThread::currentThreadId(); });
            jobs.run(
                this,
                [&](std::stop_token stop) {
                    worked = QThread::currentThreadId();
                    begun.count_down();
                    while (!stop.stop_requested())
                        std::this_thread::yield();
                },
                [] {}, {});
            begun.wait();
        }
        QVERIFY(worked != nullptr);
        QCOMPARE(cleaned, worked);
    }
};

HEADROOM_UI_TEST(JobThreadTest)

} // namespace headroom::ui

#include "JobThreadTest.moc"
