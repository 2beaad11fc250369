// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/QueueModel.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/runs/QueueFixture.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QMimeData>
#include <QSignalSpy>

namespace headroom::ui {

class QueueModelTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_fixture = std::make_unique<QueueFixture>();
        m_model = std::make_unique<QueueModel>(m_fixture->service, m_theme);
        m_tester = std::make_unique<QAbstractItemModelTester>(
            m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    void cleanup()
    {
        m_tester.reset();
        m_model.reset();
        m_fixture.reset();
    }

    void experimentsHaveTheirTrialsUnderThem()
    {
        m_fixture->script("hang");
        const int run = m_fixture->enqueue(kThree);
        QCOMPARE(m_model->rowCount(), 1);
        const QModelIndex experiment = m_model->index(0, 0);
        QCOMPARE(experiment.data().toString(), QStringLiteral("three"));
        QCOMPARE(m_model->rowCount(experiment), 3);
        const QModelIndex trial = m_model->index(1, QueueModel::Label, experiment);
        QCOMPARE(trial.data().toString(), QStringLiteral("sequence_length 16 | baseline"));
        QCOMPARE(trial.data(QueueModel::TrialIdRole).toString(), m_fixture->id(run, 1));
        QCOMPARE(trial.parent(), experiment);
        QCOMPARE(m_model->indexOf(run, 1), trial);
        QCOMPARE(text(trial, QueueModel::Device), QStringLiteral("cpu"));
        QCOMPARE(text(trial, QueueModel::State), QStringLiteral("waiting"));
    }

    void aRunningTrialSaysItsPhaseAndStep()
    {
        m_fixture->script("hang");
        const int run = m_fixture->enqueue(kThree);
        const QModelIndex trial = m_model->indexOf(run, 0);
        QTRY_COMPARE(text(trial, QueueModel::Doing), QStringLiteral("forward, step 1 of 5"));
        QCOMPARE(text(trial, QueueModel::State), QStringLiteral("running"));
        QCOMPARE(trial.siblingAtColumn(QueueModel::Progress).data(QueueModel::ShareRole).toDouble(), 0.2);
    }

    void anEndedTrialSaysWhatItFoundAndWhyItEnded()
    {
        m_fixture->script("oom@16");
        const int run = m_fixture->enqueue(kThree);
        QTRY_COMPARE(m_fixture->finished.size(), 1);
        const QModelIndex completed = m_model->indexOf(run, 0);
        QCOMPARE(text(completed, QueueModel::State), QStringLiteral("completed"));
        QCOMPARE(text(completed, QueueModel::Peak), QStringLiteral("4.88 KiB allocated"));
        QCOMPARE(text(completed, QueueModel::Speed), QStringLiteral("2.00 steps/s"));
        QCOMPARE(text(completed, QueueModel::Samples), QStringLiteral("5"));
        const QModelIndex oom = m_model->indexOf(run, 1);
        QCOMPARE(text(oom, QueueModel::State), QStringLiteral("out of memory"));
        QCOMPARE(text(oom, QueueModel::Doing),
            QStringLiteral("needs at least 96 B more than usable; first failed in forward for 4 KiB"));
        QVERIFY(!oom.siblingAtColumn(QueueModel::State).data(Qt::DecorationRole).isNull());
    }

    void simulatedFiguresAreCalledPredicted()
    {
        const int run = m_fixture->enqueue("device.name = \"sim:t4\"\n");
        QTRY_COMPARE(m_fixture->finished.size(), 1);
        const QModelIndex trial = m_model->indexOf(run, 0);
        for (const int column : {QueueModel::Peak, QueueModel::Speed}) {
            const QModelIndex cell = trial.siblingAtColumn(column);
            QVERIFY(cell.data(Qt::FontRole).value<QFont>().italic());
            QVERIFY(cell.data(Qt::ToolTipRole).toString().endsWith(QStringLiteral("predicted")));
            QVERIFY(cell.data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("predicted")));
        }
    }

    void rowsFollowTheQueue()
    {
        m_fixture->script("slow");
        const int a = m_fixture->enqueue(kThree);
        const int b = m_fixture->enqueue("name = \"b\"\n");
        const int c = m_fixture->enqueue("name = \"c\"\nworkload.sequence_length = [8, 16, 32, 64]\n");
        const QPersistentModelIndex last = m_model->indexOf(c, 3);
        m_fixture->service.queue().move(c, QueueMove::ToTop);
        QCOMPARE(m_model->indexOf(c).row(), 1);
        QCOMPARE(m_model->indexOf(b).row(), 2);
        m_fixture->service.queue().moveTrials(c, {2, 3}, QueueMove::ToTop);
        QCOMPARE(last.row(), 1);
        QCOMPARE(last.data(QueueModel::TrialRole).toInt(), 3);
        m_fixture->service.queue().removeTrials(c, {0, 2});
        QCOMPARE(last.row(), 0);
        QCOMPARE(m_model->rowCount(m_model->indexOf(c)), 2);
        QVERIFY(!m_model->indexOf(c, 0).isValid());
        m_fixture->service.queue().remove(b);
        QCOMPARE(m_model->rowCount(), 2);
        QTRY_COMPARE(m_fixture->finished.size(), 2);
        m_fixture->service.queue().removeEnded();
        QCOMPARE(m_model->rowCount(), 0);
        QVERIFY(!m_model->indexOf(a).isValid());
    }

    void aTrialIsDraggedToAnotherPlace()
    {
        m_fixture->script("hang");
        const int run = m_fixture->enqueue(kThree);
        QTRY_COMPARE(m_fixture->state(run, 0), TrialState::Running);
        const QModelIndex experiment = m_model->indexOf(run);
        QVERIFY(!(m_model->flags(m_model->indexOf(run, 0)) & Qt::ItemIsDragEnabled));
        QVERIFY(m_model->flags(m_model->indexOf(run, 2)) & Qt::ItemIsDragEnabled);
        const std::unique_ptr<QMimeData> mime(m_model->mimeData({m_model->indexOf(run, 2)}));
        QVERIFY(!m_model->canDropMimeData(mime.get(), Qt::MoveAction, 0, 0, {}));
        m_model->dropMimeData(mime.get(), Qt::MoveAction, 1, 0, experiment);
        QCOMPARE(m_model->indexOf(run, 2).row(), 1);
        m_model->dropMimeData(mime.get(), Qt::MoveAction, 3, 0, experiment);
        QCOMPARE(m_model->indexOf(run, 2).row(), 2);
    }

    void aWaitingExperimentIsDraggedToAnotherPlace()
    {
        m_fixture->script("hang");
        m_fixture->enqueue(kThree);
        const int b = m_fixture->enqueue("name = \"b\"\n");
        const int c = m_fixture->enqueue("name = \"c\"\n");
        const std::unique_ptr<QMimeData> mime(m_model->mimeData({m_model->indexOf(c)}));
        QVERIFY(m_model->canDropMimeData(mime.get(), Qt::MoveAction, 0, 0, {}));
        m_model->dropMimeData(mime.get(), Qt::MoveAction, 0, 0, {});
        QCOMPARE(m_model->indexOf(c).row(), 1);
        QCOMPARE(m_model->indexOf(b).row(), 2);
    }

    void rowsThatChangeTogetherAreToldInFewRanges()
    {
        std::string seeds;
        for (int i = 0; i < 2000; ++i)
            seeds += std::to_string(i) + ",";
        QSignalSpy told(m_model.get(), &QAbstractItemModel::dataChanged);
        int deliveries = 0;
        connect(&m_fixture->service, &RunService::changed, this, [&] { ++deliveries; });
        m_tester.reset(); // looks at every row after every change
        m_fixture->enqueue("device.name = \"sim:t4\"\nworkload.seed = [" + seeds + "]\nprotocol.steps = 1\n");
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->finished.size(), 1, 60'000);
        QVERIFY2(told.size() <= 6 * deliveries, qPrintable(QString::number(told.size())));
    }

private:
    static QString text(const QModelIndex& index, int column)
    {
        return index.siblingAtColumn(column).data().toString();
    }

    Theme m_theme;
    std::unique_ptr<QueueFixture> m_fixture;
    std::unique_ptr<QueueModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

HEADROOM_UI_TEST(QueueModelTest)

} // namespace headroom::ui

#include "QueueModelTest.moc"
