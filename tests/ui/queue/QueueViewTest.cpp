// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/QueueView.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/runs/QueueFixture.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTreeView>

namespace headroom::ui {

class QueueViewTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_fixture = std::make_unique<QueueFixture>();
        m_view = std::make_unique<QueueView>(m_fixture->service, m_theme);
        m_view->resize(1200, 400);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    }
    void cleanup()
    {
        m_view.reset();
        m_fixture.reset();
    }

    void anEmptyQueueExplainsItself()
    {
        QVERIFY(m_view->findChild<QLabel*>(QStringLiteral("queueEmpty"))->isVisible());
        QVERIFY(!m_view->tree().isVisible());
        for (QAction* action : m_view->actions().all())
            QVERIFY(action == nullptr || !action->isEnabled());
    }

    void aRunFillsIt()
    {
        m_fixture->enqueue(kThree);
        QVERIFY(m_view->tree().isVisible());
        QTRY_COMPARE(m_fixture->finished.size(), 1);
        QVERIFY(m_view->tree().isExpanded(m_view->tree().model()->index(0, 0)));
        QCOMPARE(overall(), QStringLiteral("3 of 3 trials, done"));
        QCOMPARE(m_view->findChild<QProgressBar*>(QStringLiteral("queueBar"))->value(), 3);
    }

    void pauseAndResumeByTheirKey()
    {
        m_fixture->script("slow");
        const int run = m_fixture->enqueue(kThree);
        m_view->tree().setFocus();
        QTRY_COMPARE(m_fixture->state(run, 0), TrialState::Running);
        QCOMPARE(m_view->actions().pause()->text(), QStringLiteral("Pause"));
        QTest::keyClick(&m_view->tree(), Qt::Key_F6);
        QTRY_COMPARE(m_fixture->run(run)->state(), RunState::Paused);
        QCOMPARE(m_view->actions().pause()->text(), QStringLiteral("Resume"));
        QVERIFY(overall().endsWith(QStringLiteral("paused")));
        QTest::keyClick(&m_view->tree(), Qt::Key_F6);
        QTRY_COMPARE(m_fixture->finished.size(), 1);
        QVERIFY(!m_view->actions().pause()->isEnabled());
    }

    void stopByItsKeyAndRetryAll()
    {
        m_fixture->script("hang@16");
        const int run = m_fixture->enqueue(kThree);
        QTRY_COMPARE(m_fixture->state(run, 1), TrialState::Running);
        QVERIFY(m_view->actions().stop()->isEnabled());
        QTest::keyClick(&m_view->tree(), Qt::Key_F5, Qt::ShiftModifier);
        QTRY_COMPARE(m_fixture->finished.size(), 1);
        QVERIFY(!m_view->actions().stop()->isEnabled());
        m_fixture->script("");
        m_view->actions().retryAll()->trigger();
        QTRY_COMPARE(m_fixture->finished.size(), 2);
        QCOMPARE(m_fixture->state(run, 2), TrialState::Completed);
    }

    void stopTrialEndsAHang()
    {
        m_fixture->script("hang@16");
        const int run = m_fixture->enqueue(kThree);
        QTRY_COMPARE(m_fixture->state(run, 1), TrialState::Running);
        QTRY_VERIFY(m_view->actions().stopTrial()->isEnabled());
        m_view->actions().stopTrial()->trigger();
        QTRY_COMPARE(m_fixture->finished.size(), 1);
        QCOMPARE(m_fixture->state(run, 1), TrialState::Cancelled);
    }

    void selectedTrialsAreMovedAndRemovedByKeys()
    {
        m_fixture->script("hang");
        const int run = m_fixture->enqueue(kThree);
        QTRY_COMPARE(m_fixture->state(run, 0), TrialState::Running);
        select(2);
        QVERIFY(m_view->actions().moveUp()->isEnabled());
        QTest::keyClick(&m_view->tree(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(m_fixture->run(run)->order(), (std::vector<std::size_t>{0, 2, 1}));
        QTest::keyClick(&m_view->tree(), Qt::Key_Delete);
        QCOMPARE(m_fixture->run(run)->order(), (std::vector<std::size_t>{0, 1}));
    }

    void theRunningTrialCannotBeMovedRemovedOrRetried()
    {
        m_fixture->script("hang");
        const int run = m_fixture->enqueue(kThree);
        QTRY_COMPARE(m_fixture->state(run, 0), TrialState::Running);
        select(0);
        QVERIFY(!m_view->actions().moveDown()->isEnabled());
        QVERIFY(!m_view->actions().remove()->isEnabled());
        QVERIFY(!m_view->actions().retry()->isEnabled());
    }

    void aRetryIsOfferedForFailuresOnly()
    {
        m_fixture->script("segv@16");
        const int run = m_fixture->enqueue(kThree);
        QTRY_COMPARE(m_fixture->finished.size(), 1);
        select(0);
        QVERIFY(!m_view->actions().retry()->isEnabled());
        select(1);
        QVERIFY(m_view->actions().retry()->isEnabled());
        QVERIFY(m_view->actions().retry()->toolTip().contains(QStringLiteral("out of memory")));
        m_fixture->script("");
        m_view->actions().retry()->trigger();
        QTRY_COMPARE(m_fixture->state(run, 1), TrialState::Completed);
    }

    void selectedRowsAreCopiedAsText()
    {
        m_fixture->enqueue(kThree);
        QTRY_COMPARE(m_fixture->finished.size(), 1);
        select(1);
        m_view->copy()->trigger();
        const QStringList cells = QGuiApplication::clipboard()->text().trimmed().split(u'\t');
        QCOMPARE(cells.at(QueueModel::Label), QStringLiteral("sequence_length 16 | baseline"));
        QCOMPARE(cells.at(QueueModel::State), QStringLiteral("completed"));
    }

    void theSelectedTrialIsTold()
    {
        QSignalSpy selected(m_view.get(), &QueueView::trialSelected);
        QSignalSpy activated(m_view.get(), &QueueView::trialActivated);
        const int run = m_fixture->enqueue(kThree);
        select(1);
        QCOMPARE(selected.last().at(0).toString(), m_fixture->id(run, 1));
        QTest::keyClick(&m_view->tree(), Qt::Key_Return);
        QCOMPARE(activated.last().at(0).toString(), m_fixture->id(run, 1));
    }

    void everythingHasATooltipAndIsReachedByTheKeyboard()
    {
        for (QAction* action : m_view->actions().all())
            QVERIFY(action == nullptr || !action->toolTip().isEmpty());
        QCOMPARE(m_view->tree().focusPolicy() & Qt::TabFocus, Qt::TabFocus);
    }

    void aThemeChangeIsFollowed()
    {
        m_fixture->enqueue(kThree);
        QTRY_COMPARE(m_fixture->finished.size(), 1);
        m_theme.setScheme(ColourScheme::Dark);
        m_theme.setScheme(ColourScheme::Light);
    }

private:
    QString overall() const { return m_view->findChild<QLabel*>(QStringLiteral("queueOverall"))->text(); }

    void select(int row)
    {
        const QAbstractItemModel* model = m_view->tree().model();
        m_view->tree().setFocus();
        m_view->tree().setCurrentIndex(model->index(row, 0, model->index(0, 0)));
    }

    Theme m_theme;
    std::unique_ptr<QueueFixture> m_fixture;
    std::unique_ptr<QueueView> m_view;
};

HEADROOM_UI_TEST(QueueViewTest)

} // namespace headroom::ui

#include "QueueViewTest.moc"
