// SPDX-License-Identifier: Apache-2.0
//
// What the menu on trials does, on a real workspace.
#include "tests/ui/UiTest.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/compare/CompareView.h"
#include "ui/look/Veil.h"
#include "ui/plot/TradeoffView.h"
#include "ui/results/TrialsView.h"
#include "ui/window/MainWindow.h"
#include "ui/window/ResultsHeading.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTimer>

namespace headroom::ui {

class TrialDeskTest : public UiTest {
    Q_OBJECT

protected Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_window = std::make_unique<OpenWindow>();
        m_window->load(kWindowSpec);
        m_window->run();
        QVERIFY(m_window->waitForTheEnd());
        QTRY_VERIFY(results() && results()->content().trials.back().isCompleted());
    }
    void cleanup() { m_window.reset(); }

private Q_SLOTS:
    void deletingAsksFirstAndThenTheTrialIsGone()
    {
        select({0, 2});
        const QString gone = id(2);
        answerQuestion(false);
        trigger("deleteTrials");
        QTest::qWait(100);
        QCOMPARE(results()->content().trials.size(), std::size_t(6));
        answerQuestion(true);
        trigger("deleteTrials");
        QTRY_COMPARE(results()->content().trials.size(), std::size_t(4));
        QVERIFY(results()->find(gone.toStdString()) == nullptr);
        QCOMPARE(views().trials->table()->model()->rowCount(), 4);
    }

    void aTrialIsPutIntoTheFormAndUndoBringsBackWhatItHad()
    {
        SpecSession& spec = m_window->services().spec;
        const std::string before = spec.text();
        const QString chosen = id(3);
        select({3});
        trigger("putIntoForm");
        QTRY_VERIFY(!spec.isPlanning() && spec.plan()->problems.empty() && spec.plan()->trials.size() == 1);
        QCOMPARE(QString::fromStdString(spec.plan()->trials.front().trialId), chosen);
        spec.undo();
        QCOMPARE(spec.text(), before);
    }

    void aTrialIsRunAgainWithATrace()
    {
        const QString chosen = id(1);
        select({1});
        trigger("runWithTrace");
        QTRY_COMPARE(m_window->services().workspaces.experiments()->size(), std::size_t(2));
        QVERIFY(m_window->waitForTheEnd());
        QTRY_COMPARE(results()->content().trials.size(), std::size_t(1));
        QTRY_VERIFY(results()->content().trials.front().isCompleted());
        QCOMPARE(QString::fromStdString(results()->content().trials.front().id()), chosen);
        const QString workspace = m_window->workspace();
        const auto traces = awayFromTheWindow([&] {
            auto stored = store::Workspace::open(workspace.toStdString(), store::Access::ReadOnly);
            const auto trial = stored.trials(2).front();
            return stored.traceBytes().count(trial.id);
        });
        QCOMPARE(traces, std::size_t(1));
    }

    void theCurvesOfSelectedTrialsAreOneKeyAway()
    {
        select({0, 1});
        trigger("compareSelected");
        QTRY_VERIFY(!views().dockOf(views().compare)->visibleRegion().isEmpty());
        for (QAction* action : views().trials->trialActions().all())
            QVERIFY2(action == nullptr || views().tradeoff->actions().contains(action), "the plot has the same keys");
    }

    void theCounterpartThatNobodyHasRunIsRunAndCompared()
    {
        const QString measured = id(1);
        select({1});
        trigger("compareCounterpart");
        QTRY_COMPARE(m_window->services().workspaces.experiments()->size(), std::size_t(2));
        QVERIFY(m_window->waitForTheEnd());
        QTRY_VERIFY(results()->isOfSeveral());
        QTRY_COMPARE(m_window->services().selection.trials().size(), 2);
        QTRY_VERIFY(!views().dockOf(views().compare)->visibleRegion().isEmpty());
        const QStringList both = m_window->services().selection.trials();
        const auto* first = results()->find(both[0].toStdString());
        const auto* second = results()->find(both[1].toStdString());
        QVERIFY(first != nullptr && second != nullptr);
        QCOMPARE(QString::fromStdString(ResultSet::storedId(*first)), measured);
        QCOMPARE(QString::fromStdString(first->planned.device.name()), QStringLiteral("cpu"));
        QCOMPARE(QString::fromStdString(second->planned.device.name()), QStringLiteral("sim:cpu"));
        // Asked again from the experiment alone, it is found rather than run.
        m_window->services().workspaces.showExperiment(1);
        QTRY_VERIFY(!results()->isOfSeveral());
        select({1});
        trigger("compareCounterpart");
        QTRY_VERIFY(results()->isOfSeveral());
        QTRY_COMPARE(m_window->services().selection.trials().size(), 2);
        QCOMPARE(m_window->services().workspaces.experiments()->size(), std::size_t(2));
    }

    void whatThisMachineCannotMeasureIsSaid()
    {
        QTRY_VERIFY(m_window->services().machine.machine().gpu != Machine::Gpu::Unknown);
        if (m_window->services().machine.machine().gpu == Machine::Gpu::Usable)
            QSKIP("this machine has a GPU");
        m_window->load("name = \"card\"\nmodel.name = \"ffn-stack-tiny\"\ndevice.name = \"sim:t4\"\n");
        m_window->run();
        QVERIFY(m_window->waitForTheEnd());
        QTRY_VERIFY(results()->content().experiment == "card" && results()->content().trials.back().isCompleted());
        select({0});
        trigger("compareCounterpart");
        QTRY_VERIFY(m_window->window().statusBar()->currentMessage().contains(
            QStringLiteral("no GPU to measure what is predicted for sim:t4")));
    }

    void anotherBaselineIsSaidByTheTable()
    {
        // Trials of this sweep are cases of their own: nothing to compare with.
        select({1});
        QVERIFY(!find("useAsBaseline")->isEnabled());
        m_window->load("name = \"levers\"\nmodel.name = \"ffn-stack-tiny\"\ndevice.name = \"cpu\"\n"
                       "protocol.repeats = 1\ntechniques.split_ffn = [\"off\", \"2\", \"4\"]\n");
        m_window->run();
        QVERIFY(m_window->waitForTheEnd());
        QTRY_VERIFY(results()->content().experiment == "levers" && results()->content().trials.back().isCompleted());
        select({1});
        trigger("useAsBaseline");
        QTRY_COMPARE(referenceOf(0), QString(id(1)));
        QCOMPARE(find("useAsBaseline")->text(), QStringLiteral("Use the usual &baseline"));
        trigger("useAsBaseline");
        QTRY_COMPARE(referenceOf(1), QString(id(0)));
    }

    void whatIsOpenedIsNotDimmedUntilAnotherExperimentBegins()
    {
        const auto isDimmed = [this] {
            return views().trials->table()->findChild<Veil*>()->isVisibleTo(views().trials->table());
        };
        const std::int64_t first = results()->content().number;
        m_window->load("name = \"other\"\nmodel.name = \"ltx-video-tiny\"\ndevice.name = \"cpu\"\n"
                       "protocol.repeats = 1\n");
        QTRY_VERIFY(isDimmed());
        m_window->run();
        QVERIFY(m_window->waitForTheEnd());
        QTRY_VERIFY(results()->content().number != first);
        QVERIFY(!isDimmed());
        m_window->services().workspaces.showExperiment(first);
        QTRY_COMPARE(results()->content().number, first);
        QCOMPARE(views().heading->kinship(), ResultsHeading::Kinship::Other);
        QVERIFY2(!isDimmed(), "they were asked for");
        m_window->services().spec.set(QStringLiteral("workload.batch"), QStringLiteral("2"));
        QTRY_VERIFY(isDimmed());
        m_window->load(kWindowSpec);
    }

    void resultsOfAnotherExperimentAreDimmed()
    {
        const auto isDimmed = [this](QWidget& view) { return view.findChild<Veil*>()->isVisibleTo(&view); };
        QVERIFY(!isDimmed(*views().tradeoff) && !isDimmed(*views().trials->table()));
        m_window->load("name = \"other\"\nmodel.name = \"ltx-video-2b\"\ndevice.name = \"sim:t4\"\n");
        QTRY_COMPARE(views().heading->kinship(), ResultsHeading::Kinship::Other);
        QVERIFY(isDimmed(*views().tradeoff) && isDimmed(*views().trials->table()));
        QVERIFY(views().heading->text().contains(QStringLiteral("another experiment")));
        m_window->load(kWindowSpec);
        QTRY_COMPARE(views().heading->kinship(), ResultsHeading::Kinship::Own);
        QVERIFY(!isDimmed(*views().tradeoff) && !isDimmed(*views().trials->table()));
    }

private:
    const Results& results() const { return m_window->services().workspaces.results(); }
    WindowViews& views() { return m_window->window().views(); }
    QString id(std::size_t trial) const { return QString::fromStdString(results()->content().trials[trial].id()); }

    QString referenceOf(std::size_t trial) const
    {
        const auto* reference = results()->comparison().groupOf(results()->content().trials[trial]).reference;
        return reference == nullptr ? QString() : QString::fromStdString(reference->id());
    }

    void select(const std::vector<std::size_t>& trials)
    {
        QStringList ids;
        for (const std::size_t trial : trials)
            ids.append(id(trial));
        m_window->services().selection.select(ids);
    }

    QAction* find(const char* name)
    {
        for (QAction* action : views().trials->trialActions().all())
            if (action != nullptr && action->objectName() == QLatin1String(name))
                return action;
        return nullptr;
    }

    void trigger(const char* name)
    {
        QVERIFY2(find(name) != nullptr && find(name)->isEnabled(), name);
        find(name)->trigger();
    }

    // As soon as the question is asked.
    static void answerQuestion(bool isYes)
    {
        auto* timer = new QTimer(qApp);
        QObject::connect(timer, &QTimer::timeout, timer, [timer, isYes] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box == nullptr)
                return;
            timer->deleteLater();
            for (QAbstractButton* button : box->buttons())
                if (isYes == (box->buttonRole(button) == QMessageBox::DestructiveRole))
                    return button->click();
        });
        timer->start(20);
    }

    std::unique_ptr<OpenWindow> m_window;
};

HEADROOM_UI_TEST(TrialDeskTest)

} // namespace headroom::ui

#include "TrialDeskTest.moc"
