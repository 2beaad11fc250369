// SPDX-License-Identifier: Apache-2.0
#include "core/base/Quantities.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/runs/QueueFixture.h"
#include "ui/queue/QueueModel.h"

#include <QFileInfo>

namespace headroom::ui {

// As it was before any test gave another one.
static const QByteArray kRealWorker = qgetenv("HEADROOM_WORKER");

class RealWorkerTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        if (!QFileInfo::exists(QString::fromLocal8Bit(kRealWorker)))
            QSKIP("there is no headroom-worker where HEADROOM_WORKER points");
        m_fixture = std::make_unique<QueueFixture>();
        qputenv("HEADROOM_WORKER", kRealWorker);
    }
    void cleanup() { m_fixture.reset(); }

    void aSmallSweepIsMeasuredWithItsProgress()
    {
        QSet<QString> phases;
        std::int64_t mostSamples = 0;
        const int run = m_fixture->service.enqueue(QueueFixture::request(
            "name = \"real\"\nworkload.step = \"forward_backward\"\nworkload.sequence_length = [64, 128]\n"
            "protocol.steps = 200\n",
            m_fixture->workspace()));
        connect(&m_fixture->service.queue(), &RunQueue::trialsChanged, this, [&](int id, const auto& trials) {
            for (const std::size_t trial : trials) {
                const TrialProgress& progress = m_fixture->run(id)->progress(trial);
                phases += QString::fromStdString(progress.phase);
                mostSamples = std::max(mostSamples, progress.samples);
            }
        });
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->finished.size(), 1, 60'000);
        QVERIFY(phases.size() > 1);
        QVERIFY(mostSamples >= 200); // more where a speed looked implausible and was measured again
        for (const std::size_t trial : {0, 1}) {
            QCOMPARE(m_fixture->state(run, trial), TrialState::Completed);
            QVERIFY(*m_fixture->run(run)->progress(trial).peakAllocated > 0);
            QVERIFY(*m_fixture->run(run)->progress(trial).stepsPerSecond > 0);
        }
    }

    void aPredictionThatDoesNotFitSaysWhatItNeeds()
    {
        auto spec = experiments::loadSpecText("[model]\nname = \"ltx-video-2b\"\n[workload]\nstep = \"train\"\n"
                                              "[device]\nname = \"sim:t4\"\n",
            "spec.toml", {});
        auto trials = experiments::expand(spec);
        const int run = m_fixture->service.enqueue(
            {.spec = std::move(spec), .trials = std::move(trials), .workspace = m_fixture->workspace()});
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->finished.size(), 1, 60'000);
        QCOMPARE(m_fixture->state(run, 0), TrialState::OutOfMemory);
        const TrialProgress& progress = m_fixture->run(run)->progress(0);
        QVERIFY(progress.needed.value_or(0) > 0);
        const std::string need = "needs " + sizeText(*progress.needed) + ", ";
        QVERIFY2(progress.shortage.starts_with(need), progress.shortage.c_str());
    }

private:
    std::unique_ptr<QueueFixture> m_fixture;
};

HEADROOM_UI_TEST(RealWorkerTest)

} // namespace headroom::ui

#include "RealWorkerTest.moc"
