// SPDX-License-Identifier: Apache-2.0
#include "tests/support/TextFiles.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/window/ProcessFiles.h"
#include "tests/ui/window/UiThreadFiles.h"
#include "ui/answer/LiveAnswer.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/plot/TradeoffView.h"
#include "ui/printing/ReportExporter.h"
#include "ui/queue/LogView.h"
#include "ui/queue/QueueView.h"
#include "ui/results/DetailsView.h"
#include "ui/results/ExperimentsView.h"
#include "ui/results/TrialsView.h"
#include "ui/start/FirstRunPage.h"
#include "ui/timeline/TimelineView.h"
#include "ui/window/DesktopProgram.h"
#include "ui/window/SpecFiles.h"

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>

#include <csignal>
#include <set>

namespace headroom::ui {
namespace {

constexpr int kPatienceMs = 60'000;

const std::string kMeasured = "# a small one, really run\n"
                              "[model]\n"
                              "name = \"ffn-stack-tiny\"\n"
                              "[workload]\n"
                              "step = \"train\"\n"
                              "[techniques]\n"
                              "split_ffn = \"off\"  # the lever\n"
                              "[device]\n"
                              "name = \"cpu\"\n"
                              "[protocol]\n"
                              "warmup_steps = 1\n"
                              "steps = 2\n"
                              "max_warmup_seconds = 1\n";

// A step takes long enough to be stopped, or killed, in the middle of it.
const std::string kLong = "[model]\n"
                          "name = \"ffn-stack\"\n"
                          "dim = 1024\n"
                          "[techniques]\n"
                          "split_ffn = [\"off\", \"2\"]\n"
                          "[device]\n"
                          "name = \"cpu\"\n"
                          "[protocol]\n"
                          "steps = 100000\n";

} // namespace

class WorkbenchTest : public UiTest {
    Q_OBJECT

protected Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_folder = std::make_unique<QTemporaryDir>();
        start();
    }

    void cleanup()
    {
        m_program.reset();
        m_folder.reset();
    }

private Q_SLOTS:
    void aNewUserSeesTheFirstStepsAndRunsAnExample()
    {
        QVERIFY(views().firstRun->isVisible());
        QVERIFY(!views().tradeoff->isVisible());
        views().firstRun->findChild<QPushButton*>(QStringLiteral("example-ltx-checkpointing"))->click();
        waitForTheEnd();
        QTRY_VERIFY_WITH_TIMEOUT(results() && results()->content().trials.size() == 4, kPatienceMs);
        QVERIFY(!views().firstRun->isVisible());
        QTRY_COMPARE(views().tradeoff->plot().figure()->marks.size(), 4U);
        QCOMPARE(views().trials->table()->model()->rowCount(), 4);
    }

    void withoutAGpuItSaysWhatCanBeDone()
    {
        const auto* sentence = views().firstRun->findChild<QLabel*>(QStringLiteral("machineSentence"));
        QTRY_VERIFY_WITH_TIMEOUT(services().machine.machine().gpu != Machine::Gpu::Unknown
                || !sentence->text().contains(QStringLiteral("Looking")),
            kPatienceMs);
        QCOMPARE(sentence->text(), services().machine.machine().sentence);
        if (services().machine.machine().gpu == Machine::Gpu::Absent)
            QVERIFY(sentence->text().contains(QStringLiteral("predicted")));
    }

    void togglingShowsAPredictionAndRunningAPointARowAndATimeline()
    {
        load(kMeasured);
        const Answer before = awaitAnswer();
        QVERIFY(before);
        services().spec.set(QStringLiteral("techniques.split_ffn"), QStringLiteral("\"2\""));
        waitForPlan();
        QTRY_VERIFY_WITH_TIMEOUT(awaitAnswer() != before, kPatienceMs);
        QVERIFY(awaitAnswer()->trial.configuration.techniques.at("split_ffn").notation == "2");
        QTest::keyClick(window(), Qt::Key_F5);
        waitForTheEnd();
        QTRY_VERIFY_WITH_TIMEOUT(results() && results()->content().trials.front().isCompleted(), kPatienceMs);
        QTRY_VERIFY(views().tradeoff->plot().figure() && views().tradeoff->plot().figure()->marks.size() == 1);
        QCOMPARE(views().trials->table()->model()->rowCount(), 1);
        views().trials->table()->selectRow(0);
        QCOMPARE(services().selection.current().toStdString(), results()->content().trials.front().id());
        QTRY_VERIFY_WITH_TIMEOUT(timelineShowsAPeak(), kPatienceMs);
    }

    void stoppingKeepsWhatIsFinished()
    {
        load(kLong);
        QTest::keyClick(window(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(services().runs.isBusy(), kPatienceMs);
        services().runs.stop();
        waitForTheEnd();
        QTRY_VERIFY_WITH_TIMEOUT(results() && results()->content().trials.size() == 2, kPatienceMs);
        for (const report::ReportTrial& trial : results()->content().trials)
            QVERIFY(!trial.isCompleted());
    }

    void aKilledWorkerIsARowWithItsReasonAndTheWindowGoesOn()
    {
        // The worker that is asked about the machine comes and goes: it is not the one that runs the trial.
        QTRY_VERIFY_WITH_TIMEOUT(!services().machine.machine().sentence.isEmpty(), kPatienceMs);
        const std::set<pid_t> residents = childProcesses();
        load(kLong);
        QTest::keyClick(window(), Qt::Key_F5);
        pid_t worker = 0;
        QTRY_VERIFY_WITH_TIMEOUT((worker = newChild(residents)) != 0, kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(window()->isEnabled() && ::kill(worker, SIGKILL) == 0, kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(
            results() && results()->content().trials.front().result.outcome == Outcome::Failed, kPatienceMs);
        QVERIFY(!results()->content().trials.front().ending().empty());
        QVERIFY(services().runs.isBusy());
        services().runs.stop();
        waitForTheEnd();
    }

    void aChangeThatMakesItFitIsAppliedAndTakenBackInOneStep()
    {
        const std::string tooLarge = "[model]\nname = \"ltx-video-2b\"\n[workload]\nstep = \"train\"\ndtype = "
                                     "\"bfloat16\"\nbatch = 4\n[device]\nname = \"sim:rtx4090\"\n";
        load(tooLarge);
        const auto fits = [&] {
            const Answer answer = awaitAnswer();
            return answer && answer->verdict.kind == experiments::FitVerdict::Kind::Fits;
        };
        QTRY_VERIFY_WITH_TIMEOUT(views().answer->canBeMadeToFit(), kPatienceMs);
        QVERIFY(!fits());
        views().answer->makeItFit();
        QPushButton* apply = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT(
            (apply = views().answer->findChild<QPushButton*>(QStringLiteral("fitApply0"))) != nullptr, kPatienceMs);
        apply->click();
        waitForPlan();
        QVERIFY(services().spec.text().find("checkpointing") != std::string::npos);
        QTRY_VERIFY_WITH_TIMEOUT(fits(), kPatienceMs);
        QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(services().spec.text(), tooLarge);
    }

    void undoBringsTheTextBackByteForByte()
    {
        load(kMeasured);
        services().spec.set(QStringLiteral("techniques.split_ffn"), QStringLiteral("[\"off\", \"2\"]"));
        services().spec.set(QStringLiteral("workload.batch"), QStringLiteral("2"));
        QVERIFY(services().spec.text() != kMeasured);
        QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
        QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(services().spec.text(), kMeasured);
        QVERIFY(!window()->isWindowModified());
    }

    void savingKeepsCommentsAndMarksTheWindowAsUnmodified()
    {
        load(kMeasured);
        services().spec.set(QStringLiteral("techniques.split_ffn"), QStringLiteral("\"2\""));
        QVERIFY(window()->isWindowModified());
        const QString file = m_folder->filePath(QStringLiteral("mine.toml"));
        services().spec.saveAs(file);
        QTRY_VERIFY(!window()->isWindowModified());
        QVERIFY(window()->windowTitle().contains(QStringLiteral("mine.toml")));
        QVERIFY(contentOf(file.toStdString()).find("# the lever") != std::string::npos);
        QCOMPARE(window()->preferences().recentSpecs.first(), file);
    }

    void aFileThatCannotBeReadIsSaidAndNothingIsLost()
    {
        load(kMeasured);
        window()->specs().open(m_folder->filePath(QStringLiteral("none.toml")));
        QTRY_VERIFY(statusText().contains(QStringLiteral("none.toml")));
        QCOMPARE(services().spec.text(), kMeasured);
        window()->views();
        services().workspaces.open(m_folder->filePath(QStringLiteral("none.db")));
        QTRY_VERIFY(statusText().contains(QStringLiteral("none.db")));
        QVERIFY(!services().workspaces.path().isEmpty());
    }

    void theNextStartHasTheSameWorkspaceResultsAndLayout()
    {
        views().firstRun->findChild<QPushButton*>(QStringLiteral("example-ltx-checkpointing"))->click();
        waitForTheEnd();
        QTRY_VERIFY_WITH_TIMEOUT(results(), kPatienceMs);
        views().dockOf(views().log)->close();
        services().spec.undoStack()->setClean();
        window()->close();
        QTRY_VERIFY(!window()->isVisible());
        m_program.reset();
        start();
        QTRY_VERIFY_WITH_TIMEOUT(results() && results()->content().trials.size() == 4, kPatienceMs);
        QVERIFY(!views().dockOf(views().log)->isVisible());
        QCOMPARE(statusText(), QString());
        QVERIFY(views().tradeoff->isVisible());
    }

    void aReportHasTheResultsOnTheScreen()
    {
        views().firstRun->findChild<QPushButton*>(QStringLiteral("example-ltx-checkpointing"))->click();
        waitForTheEnd();
        QTRY_VERIFY_WITH_TIMEOUT(results() && results()->content().trials.back().isCompleted(), kPatienceMs);
        const QString svg = m_folder->filePath(QStringLiteral("plot.svg"));
        QTRY_VERIFY(views().tradeoff->plot().figure() && !views().tradeoff->plot().figure()->marks.empty());
        views().tradeoff->plot().exportTo(svg);
        QTRY_VERIFY(contentOf(svg.toStdString()).find("every:2") != std::string::npos);
    }

    void everyCommandHasWordsAndNoTwoShareTheirKeys()
    {
        QMap<QString, QString> global;
        for (const QAction* action : window()->commands()) {
            QVERIFY(!action->text().isEmpty());
            if (action->shortcutContext() != Qt::WindowShortcut)
                continue;
            for (const QKeySequence& keys : action->shortcuts()) {
                const QString text = keys.toString();
                QVERIFY2(!global.contains(text),
                    qPrintable(QStringLiteral("%1: %2 and %3").arg(text, global.value(text), action->text())));
                global[text] = action->text();
            }
        }
        QVERIFY(global.size() > 15);
    }

    void everyViewCanBeReachedFromTheKeyboard()
    {
        const auto reach = [&](int key, const QWidget* view) {
            QTest::keyClick(window(), static_cast<Qt::Key>(Qt::Key_0 + key), Qt::ControlModifier);
            return view->isAncestorOf(QApplication::focusWidget()) || view == QApplication::focusWidget();
        };
        views().show(WindowViews::CentralPage::Plots);
        window()->activateWindow();
        QTRY_VERIFY(window()->isActiveWindow());
        int number = 1;
        for (const QWidget* view : std::initializer_list<const QWidget*>{views().experiment, views().tradeoff,
                 views().timeline, views().trials, views().queue, views().details, views().log, views().experiments}) {
            QVERIFY2(reach(number, view), qPrintable(QString::number(number)));
            ++number;
        }
    }

    void colourSchemesCanBeChangedWhileEverythingIsOpen()
    {
        load(kMeasured);
        for (const ColourScheme scheme : {ColourScheme::Dark, ColourScheme::Light, ColourScheme::Dark}) {
            services().theme.setScheme(scheme);
            QTRY_COMPARE(window()->palette().color(QPalette::Base), services().theme.surface());
            QVERIFY(!window()->grab().isNull());
        }
    }

    void theThreadOfTheWindowOpensNoFiles()
    {
        m_program.reset();
        start();
        const UiThreadFiles files;
        load(kMeasured);
        awaitAnswer();
        QTest::keyClick(window(), Qt::Key_F5);
        waitForTheEnd();
        QTRY_VERIFY_WITH_TIMEOUT(results() && results()->content().trials.front().isCompleted(), kPatienceMs);
        views().trials->table()->selectRow(0);
        QTRY_VERIFY_WITH_TIMEOUT(timelineShowsAPeak(), kPatienceMs);
        services().spec.saveAs(m_folder->filePath(QStringLiteral("mine.toml")));
        QTRY_VERIFY(!window()->isWindowModified());
        views().tradeoff->plot().exportTo(m_folder->filePath(QStringLiteral("plot.png")));
        QTRY_VERIFY(services().spec.isIdle());
        Q_EMIT window()->preferencesChanged();
        for (const std::string& file : files.opened())
            qCritical("opened on the thread of the window: %s", file.c_str());
        QVERIFY(files.opened().empty());
    }

    void theThreadOfTheWindowCannotUseTheStore()
    {
        QVERIFY_EXCEPTION_THROWN(
            store::Workspace::open(m_folder->filePath(QStringLiteral("other.db")).toStdString(), store::Access::Create),
            Error);
    }

    void underACommaLocaleSpecsAndFilesHavePoints()
    {
        load(kMeasured);
        services().spec.set(QStringLiteral("workload.clip_grad_norm"), QStringLiteral("0.5"));
        waitForPlan();
        QVERIFY(services().spec.plan()->problems.empty());
        QCOMPARE(services().spec.plan()->trials.front().trial.configuration.workload.clipGradNorm, 0.5);
        if (qgetenv("LC_ALL").startsWith("de_DE")) // else nothing was tested
            QCOMPARE(QLocale::system().decimalPoint(), QStringLiteral(","));
        QCOMPARE(QLocale().decimalPoint(), QStringLiteral("."));
    }

private:
    void start()
    {
        StartOptions options;
        options.workspace = m_folder->filePath(QStringLiteral("results.db"));
        options.preferencesFile = m_folder->filePath(QStringLiteral("desktop.ini"));
        m_program = std::make_unique<DesktopProgram>(options);
        m_program->start();
        QTRY_VERIFY_WITH_TIMEOUT(m_program->window() && !services().workspaces.path().isEmpty(), kPatienceMs);
    }

    MainWindow* window() { return m_program->window(); }
    WindowViews& views() { return window()->views(); }
    Services& services() { return m_program->services(); }
    const Results& results() { return services().workspaces.results(); }

    void load(const std::string& text)
    {
        services().spec.loadText(text, QStringLiteral("test"));
        waitForPlan();
    }

    void waitForPlan() { QTRY_VERIFY_WITH_TIMEOUT(!services().spec.isPlanning(), kPatienceMs); }

    Answer awaitAnswer()
    {
        (void)QTest::qWaitFor([&] { return views().answer->answer() && !views().answer->isComputing(); }, kPatienceMs);
        return views().answer->answer();
    }

    // Also before it has begun: what was asked for may still be planned.
    void waitForTheEnd()
    {
        QTRY_VERIFY_WITH_TIMEOUT(
            !services().spec.isPlanning() && services().runs.queue().runs().size() > 0 && !services().runs.isBusy(),
            kPatienceMs);
    }

    bool timelineShowsAPeak()
    {
        for (const FigurePlot* plot : views().timeline->findChildren<FigurePlot*>())
            if (plot->figure() && !plot->figure()->marks.empty())
                return true;
        return false;
    }

    pid_t newChild(const std::set<pid_t>& known)
    {
        for (const pid_t child : childProcesses())
            if (!known.contains(child) && services().runs.isBusy())
                return child;
        return 0;
    }

    QString statusText() { return window()->statusBar()->currentMessage(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<DesktopProgram> m_program;
};

HEADROOM_UI_TEST(WorkbenchTest)

} // namespace headroom::ui

#include "WorkbenchTest.moc"
