// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/PredictionEngine.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/run/RepeatExecutor.h"
#include "experiments/verdict/DeviceFit.h"
#include "tests/support/Checkout.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/answer/Plans.h"

#include <cmath>

namespace headroom::ui {

// Against what `headroom run` does with the same trials.
class PredictionEngineTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        UiTest::initTestCase();
        m_executor = std::make_unique<experiments::RepeatExecutor>(
            config::workerProgram(), experiments::WorkerProcess::LogSink());
    }

    void cleanupTestCase() { m_executor.reset(); }

    void answersAreThoseOfARun_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QString>("device");
        for (const char* preset :
            {"demo", "ffn-reproducer", "ffn-split", "ltx-checkpointing", "ltx-checkpointing-small"})
            for (const char* device : {"sim:rtx4090", "sim:t4"})
                QTest::addRow("%s on %s", preset, device) << QString::fromLatin1(preset) << QString::fromLatin1(device);
    }

    void answersAreThoseOfARun()
    {
        QFETCH(QString, preset);
        QFETCH(QString, device);
        PredictionEngine engine;
        experiments::DeviceFit fit(shippedResources());
        for (experiments::PlannedTrial& planned : planOfPreset(preset.toStdString())) {
            planned.trial.device = config::parseDevice(device.toStdString(), "");
            const Answer answer = engine.predict(planned.trial, {});
            const protocol::RepeatResult run = m_executor->carryOut(planned, 0, {}, {}, {});
            QCOMPARE(answer->result.outcome, run.outcome);
            QVERIFY(answer->result.memory.peak == run.memory.peak);
            QVERIFY(answer->result.memory.wholeRunPeak == run.memory.wholeRunPeak);
            QVERIFY(answer->result.stepSeconds == run.stepSeconds);
            QVERIFY(answer->result.outOfMemory == run.outOfMemory);
            if (run.outOfMemory)
                QVERIFY(protocol::needOf(*answer->need, *run.outOfMemory) == run.need);
            if (run.outcome == Outcome::Completed)
                QCOMPARE(answer->verdict.kind == experiments::FitVerdict::Kind::Fits,
                    fit.fits(planned.trial, run.memory).value());
        }
    }

    void whatDoesNotFitIsMeasuredWithoutTheLimit()
    {
        PredictionEngine engine;
        const auto large = ltxPlan("\"none\"", "sim:rtx4090", 2).front();
        const Answer answer = engine.predict(large.trial, {});
        QCOMPARE(answer->verdict.kind, experiments::FitVerdict::Kind::DoesNotFit);
        QVERIFY(answer->need);
        // A card of the same architecture with room for it; with 14 multiprocessors more, which sum in more blocks.
        auto roomy = large;
        roomy.trial.device = config::parseDevice("sim:l40s", "");
        const protocol::RepeatResult run = m_executor->carryOut(roomy, 0, {}, {}, {});
        const auto roomyBytes = static_cast<double>(experiments::DeviceFit::heldBytes(run.memory).value());
        const auto needed = static_cast<double>(answer->verdict.reservedBytes.value());
        QVERIFY2(std::abs(needed / roomyBytes - 1) < 0.005, qPrintable(QString::number(needed / roomyBytes)));
        QVERIFY(answer->verdict.freeBytes().value() < 0);
    }

    void theSameQuestionIsAnsweredFromMemory()
    {
        PredictionEngine engine;
        const config::Trial trial = smallPlan().front().trial;
        QCOMPARE(engine.predict(trial, {}), engine.predict(trial, {}));
    }

    void anUnknownCardIsRefused()
    {
        PredictionEngine engine;
        config::Trial trial = smallPlan().front().trial;
        trial.device.profile = "tape-drive";
        QVERIFY_EXCEPTION_THROWN(engine.predict(trial, {}), UsageError);
    }

    void aCancelledQuestionLeavesTheWorkerAlive()
    {
        PredictionEngine engine;
        engine.predict(smallPlan().front().trial, {});
        std::stop_source stop;
        stop.request_stop();
        const Answer cancelled = engine.predict(ltxPlan("\"all\"").front().trial, stop.get_token());
        QCOMPARE(cancelled->result.outcome, Outcome::Cancelled);
        const Answer next = engine.predict(smallPlan("\"2\"").front().trial, {});
        QCOMPARE(next->result.outcome, Outcome::Completed);
        QVERIFY(next->remark.isEmpty());
        QCOMPARE(engine.predict(ltxPlan("\"all\"").front().trial, {})->result.outcome, Outcome::Completed);
    }

private:
    std::unique_ptr<experiments::RepeatExecutor> m_executor;
};

HEADROOM_UI_TEST(PredictionEngineTest)

} // namespace headroom::ui

#include "PredictionEngineTest.moc"
