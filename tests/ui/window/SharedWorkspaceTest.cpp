// SPDX-License-Identifier: Apache-2.0
//
// One workspace, used by a window and by command lines at once, some of which are killed: nothing that finished is
// lost.
#include "experiments/archive/StoredExperiment.h"
#include "profiling/store/workspace/WorkspaceCheck.h"
#include "tests/hooks/DatabaseOpens.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/results/ExperimentsView.h"
#include "ui/results/TrialsView.h"

#include <QFileDialog>
#include <QProcess>
#include <QSignalSpy>

#include <algorithm>
#include <random>
#include <vector>

namespace headroom::ui {
namespace {

// Few show what destroys a workspace at once; many take minutes: scripts/soak has them.
int interleavings()
{
    bool isGiven = false;
    const int count = qEnvironmentVariableIntValue("HEADROOM_INTERLEAVINGS", &isGiven);
    return isGiven ? count : 40;
}

// Each part begins with a window of its own.
int parts()
{
    return std::max(2, interleavings() / 100);
}

constexpr int kCommandMs = 60'000;

// A program that shares the workspace, and what became of it.
struct CommandLine {
    std::unique_ptr<QProcess> process;
    QStringList arguments;
    bool isRun = false;
    bool isKilled = false;
};

} // namespace

class SharedWorkspaceTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void nothingThatFinishedIsLost_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= parts(); ++seed)
            QTest::addRow("seed %d", seed) << seed;
    }

    void nothingThatFinishedIsLost()
    {
        QFETCH(const int, seed);
        m_random.seed(static_cast<std::uint32_t>(seed));
        m_windowRuns = m_commandRuns = m_killedRuns = 0;
        const DatabaseOpens opens;
        OpenWindow window;
        const QSignalSpy failed(&window.services().runs, &RunService::failed);
        window.load(kWindowSpec);
        for (int i = 0; i < interleavings() / parts(); ++i) {
            interleave(window);
            if (QTest::currentTestFailed())
                return;
        }
        for (const QVariantList& message : failed)
            qCritical("%s", qPrintable(message.front().toString()));
        QCOMPARE(failed.count(), 0);
        const QString problem = awayFromTheWindow([&] { return lost(window.workspace().toStdString()); });
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        qInfo("%d runs of the window, %d of command lines, %d of them killed; SQLite opened %d files", m_windowRuns,
            m_commandRuns + m_killedRuns, m_killedRuns, opens.bySqlite());
        QVERIFY(m_windowRuns > 0 && m_commandRuns > 0);
        QVERIFY(opens.bySqlite() > 0);
        QCOMPARE(QString::fromStdString(joinedLines(opens.foreign())), QString());
    }

    // Qt's own dialogs read the beginning of each file that they list, to give it an icon.
    void whatACommandLineStoresIsShown()
    {
        OpenWindow window;
        const WorkspaceService& workspaces = window.services().workspaces;
        QTRY_VERIFY(workspaces.experiments() && workspaces.experiments()->empty());
        QCOMPARE(QProcess::execute(QStringLiteral(HEADROOM_PROGRAM),
                     {QStringLiteral("run"), QStringLiteral("--model"), QStringLiteral("ffn-stack-tiny"),
                         QStringLiteral("--device"), QStringLiteral("cpu"), QStringLiteral("--workspace"),
                         window.workspace()}),
            0);
        QTRY_VERIFY(workspaces.results());
        QCOMPARE(workspaces.results()->content().experiment, std::string("adhoc"));
    }

    void dialogsForFilesDoNotLookIntoThem()
    {
        OpenWindow window;
        window.load(kWindowSpec);
        window.run();
        QVERIFY(window.waitForTheEnd());
        const DatabaseOpens opens;
        window.window().views().experiments->openAction()->trigger();
        auto* dialog = window.window().findChild<QFileDialog*>(QStringLiteral("openWorkspaceDialog"));
        QVERIFY(dialog);
        const auto* files = dialog->findChild<QAbstractItemView*>(QStringLiteral("treeView"));
        const auto isListed = [&] {
            for (int row = 0; row < files->model()->rowCount(files->rootIndex()); ++row)
                if (files->model()->index(row, 0, files->rootIndex()).data().toString() == u"results.db")
                    return true;
            return false;
        };
        QTRY_VERIFY(isListed());
        QTest::qWait(200); // for the thread that finds out about icons
        QVERIFY(!dialog->grab().isNull());
        dialog->close();
        QCOMPARE(QString::fromStdString(joinedLines(opens.foreign())), QString());
    }

    void aWorkspaceThatIsNamedAsAnExperimentIsNotRead()
    {
        OpenWindow window;
        const DatabaseOpens opens;
        const QSignalSpy failed(&window.services().spec, &SpecSession::failed);
        window.services().spec.open(window.workspace());
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("the workspace that is open")));
        window.load("[model]\nname = \"" + window.workspace().toStdString() + "\"\n");
        QVERIFY(!window.services().spec.plan()->problems.empty());
        window.services().spec.saveAs(window.workspace());
        QTRY_COMPARE(failed.count(), 2);
        QCOMPARE(QString::fromStdString(joinedLines(opens.foreign())), QString());
    }

private:
    int below(int limit) { return static_cast<int>(m_random() % static_cast<std::uint32_t>(limit)); }

    static std::string joinedLines(const std::vector<std::string>& lines)
    {
        std::string text;
        for (const std::string& line : lines)
            text += line + "\n";
        return text;
    }

    // Things begin in any order, go on side by side for a moment, and some of them are killed.
    void interleave(OpenWindow& window)
    {
        std::vector<CommandLine> commands;
        const bool windowRunsFirst = below(2) == 0;
        const bool windowRuns = below(3) > 0;
        if (windowRuns && windowRunsFirst)
            runInWindow(window);
        for (int i = below(3); i >= 0; --i) {
            commands.push_back(start(window));
            QTest::qWait(below(30));
        }
        if (windowRuns && !windowRunsFirst)
            runInWindow(window);
        lookAround(window);
        if (below(3) == 0) {
            QTest::qWait(below(150));
            CommandLine& victim = commands[static_cast<std::size_t>(below(static_cast<int>(commands.size())))];
            victim.isKilled = victim.process->state() != QProcess::NotRunning;
            victim.process->kill();
        }
        for (CommandLine& command : commands)
            finish(command);
        QVERIFY(window.waitForTheEnd());
        window.services().runs.queue().removeEnded();
    }

    void runInWindow(OpenWindow& window)
    {
        window.run();
        ++m_windowRuns;
    }

    void lookAround(OpenWindow& window)
    {
        WorkspaceService& workspaces = window.services().workspaces;
        switch (below(5)) {
        case 0:
            workspaces.refresh();
            break;
        case 1:
            if (workspaces.experiments() && !workspaces.experiments()->empty())
                workspaces.showExperiment(workspaces.experiments()
                        ->at(static_cast<std::size_t>(below(static_cast<int>(workspaces.experiments()->size()))))
                        .id);
            break;
        case 2:
            workspaces.showNewest();
            break;
        case 3: // its timeline
            window.window().views().trials->table()->selectRow(below(6));
            break;
        default:
            if (const Results& shown = workspaces.results())
                window.services().exporter.write({window.workspace(), shown->content().number, ExportFormat::Html,
                    report::Identity::Shown, window.file(QStringLiteral("of-the-window.html"))});
        }
    }

    QStringList randomArguments(OpenWindow& window, bool& isRun)
    {
        const QString workspace = window.workspace();
        const Results& shown = window.services().workspaces.results();
        const int kind = below(9);
        isRun = kind < 4;
        if (isRun)
            return {QStringLiteral("run"), QStringLiteral("--model"), QStringLiteral("ffn-stack-tiny"),
                QStringLiteral("--device"), QStringLiteral("cpu"), QStringLiteral("--set"),
                QStringLiteral("workload.sequence_length=8,16,24"), QStringLiteral("--trace"),
                QStringLiteral("--workspace"), workspace};
        if (kind == 4 && shown && !shown->content().trials.empty())
            return {QStringLiteral("trace"), QStringLiteral("show"),
                QString::fromStdString(shown->content().trials.front().id()), QStringLiteral("--workspace"), workspace};
        if (kind <= 5)
            return {QStringLiteral("workspace"), QStringLiteral("check"), workspace};
        const QString ending =
            QStringList{QStringLiteral("html"), QStringLiteral("csv"), QStringLiteral("json")}[kind - 6];
        return {QStringLiteral("report"), workspace, QStringLiteral("-o"),
            window.file(QStringLiteral("report%1.%2").arg(++m_reports).arg(ending))};
    }

    CommandLine start(OpenWindow& window)
    {
        CommandLine command{std::make_unique<QProcess>(), {}, false, false};
        command.arguments = randomArguments(window, command.isRun);
        command.process->start(QStringLiteral(HEADROOM_PROGRAM), command.arguments);
        return command;
    }

    // Whatever was not killed succeeds; only what looks at a workspace in which nothing is yet may say so.
    void finish(CommandLine& command)
    {
        QTRY_VERIFY_WITH_TIMEOUT(command.process->state() == QProcess::NotRunning, kCommandMs);
        const bool isGood = command.process->exitStatus() == QProcess::NormalExit && command.process->exitCode() == 0;
        const QString error = QString::fromUtf8(command.process->readAllStandardError());
        const bool isTooEarly = error.contains(QStringLiteral("has no experiments"))
            || (command.arguments.first() == u"trace" && error.contains(QStringLiteral("no trace")));
        QVERIFY2(isGood || command.isKilled || isTooEarly,
            qPrintable(QStringLiteral("%1: exit code %2, %3: ")
                           .arg(command.arguments.join(u' '))
                           .arg(command.process->exitCode())
                           .arg(command.process->errorString())
                + error + QString::fromUtf8(command.process->readAllStandardOutput())));
        if (command.isRun)
            ++(isGood ? m_commandRuns : m_killedRuns);
    }

    // What is wrong with the workspace; empty where all that finished is there.
    QString lost(const std::filesystem::path& path) const
    {
        for (const store::WorkspaceFinding& finding : store::checkWorkspace(path))
            if (finding.soundness == store::Soundness::Broken)
                return QString::fromStdString(finding.check + ": " + finding.found);
        store::Workspace workspace = experiments::openForReading(path);
        int ofWindow = 0;
        int ofCommands = 0;
        for (const store::ExperimentRow& row : workspace.experiments()) {
            if (!row.finishedAt)
                continue;
            ++(row.name == "window" ? ofWindow : ofCommands);
            for (const store::TrialRow& trial : workspace.trials(row.id)) {
                const auto repeats = workspace.repeats(trial.id);
                if (repeats.empty() || repeats.front().outcome != Outcome::Completed)
                    return QStringLiteral("a trial of experiment %1 is not there").arg(row.id);
                if (workspace.trace().tracks(repeats.front().id).empty())
                    return QStringLiteral("a trace of experiment %1 is not there").arg(row.id);
            }
        }
        if (ofWindow != m_windowRuns)
            return QStringLiteral("%1 of %2 runs of the window are there").arg(ofWindow).arg(m_windowRuns);
        if (ofCommands < m_commandRuns || ofCommands > m_commandRuns + m_killedRuns)
            return QStringLiteral("%1 of %2 runs of command lines are there").arg(ofCommands).arg(m_commandRuns);
        return {};
    }

    std::mt19937 m_random;
    int m_windowRuns = 0;
    int m_commandRuns = 0; ///< that came to their end
    int m_killedRuns = 0;
    int m_reports = 0;
};

HEADROOM_UI_TEST(SharedWorkspaceTest)

} // namespace headroom::ui

#include "SharedWorkspaceTest.moc"
