// SPDX-License-Identifier: Apache-2.0
//
// What the window does when its workspace is damaged, deleted or replaced.
#include "experiments/archive/StoredExperiment.h"
#include "tests/support/TextFiles.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/window/OpenWindow.h"

#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>

#include <filesystem>

namespace headroom::ui {

class RescueTest : public UiTest {
    Q_OBJECT

protected Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_window = std::make_unique<OpenWindow>();
        m_window->load(kWindowSpec);
        m_window->run();
        QVERIFY(m_window->waitForTheEnd());
        QTRY_VERIFY(workspaces().results() && workspaces().results()->content().trials.back().isCompleted());
    }
    void cleanup() { m_window.reset(); }

private Q_SLOTS:
    void aDeletedWorkspaceIsSaidOnceAndWhatIsOpenIsSavedElsewhere()
    {
        removeWorkspace();
        workspaces().refresh();
        QTRY_VERIFY(dialog());
        QCOMPARE(workspaces().state(), WorkspaceState::Missing);
        QVERIFY(dialog()->text().contains(QStringLiteral("deleted or moved")));
        QVERIFY(dialog()->informativeText().contains(QStringLiteral("still open")));
        saveElsewhere(QStringLiteral("elsewhere.db"));
        QTRY_COMPARE(workspaces().path(), m_window->file(QStringLiteral("elsewhere.db")));
        QCOMPARE(workspaces().state(), WorkspaceState::Sound);
        QTRY_VERIFY(workspaces().results());
        QCOMPARE(workspaces().results()->content().trials.size(), std::size_t(6));
        QVERIFY(!QFileInfo::exists(m_window->workspace()));
    }

    void aDeletedWorkspaceIsNotMadeAnewByARun()
    {
        removeWorkspace();
        const QSignalSpy failed(&m_window->services().runs, &RunService::failed);
        m_window->run();
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(!QFileInfo::exists(m_window->workspace()));
    }

    void aRunWhoseWorkspaceIsDeletedStopsAndAllOfItIsSavedElsewhere()
    {
        qputenv("HEADROOM_SCRIPT", "slow");
        m_window->run();
        QTRY_VERIFY(m_window->services().runs.progress().done >= 2);
        removeWorkspace();
        QTRY_VERIFY(dialog());
        QVERIFY(!m_window->services().runs.isBusy());
        QVERIFY(dialog()->informativeText().contains(QStringLiteral("The run has stopped")));
        saveElsewhere(QStringLiteral("elsewhere.db"));
        QTRY_COMPARE(workspaces().path(), m_window->file(QStringLiteral("elsewhere.db")));
        QTRY_COMPARE(workspaces().experiments() ? workspaces().experiments()->size() : 0, std::size_t(3));
        qint64 reached = 0; // of the run before, of what was stored of this one, and of what was in memory
        for (const ExperimentEntry& entry : *workspaces().experiments())
            reached = std::max<qint64>(reached, entry.id == workspaces().experiments()->front().id ? entry.reached : 0);
        QVERIFY(reached >= 2 && reached < 6);
    }

    void aDamagedWorkspaceEndsTheRunAndWhatCanBeReadIsSavedElsewhere()
    {
        compact();
        damage();
        m_window->run();
        QTRY_VERIFY(dialog());
        QVERIFY(dialog()->text().contains(QStringLiteral("damaged")));
        QVERIFY(!m_window->services().runs.isBusy());
        const std::string damaged = awayFromTheWindow([&] { return contentOf(m_window->workspace().toStdString()); });
        saveElsewhere(QStringLiteral("elsewhere.db"));
        QTRY_COMPARE(workspaces().path(), m_window->file(QStringLiteral("elsewhere.db")));
        QTRY_VERIFY(workspaces().experiments() && !workspaces().experiments()->empty());
        QCOMPARE(awayFromTheWindow([&] { return contentOf(m_window->workspace().toStdString()); }), damaged);
    }

    void anotherFileInItsPlaceIsShownAndSaid()
    {
        const QString other = m_window->file(QStringLiteral("other.db"));
        QCOMPARE(execute({QStringLiteral("run"), QStringLiteral("--model"), QStringLiteral("ffn-stack-tiny"),
                     QStringLiteral("--device"), QStringLiteral("cpu"), QStringLiteral("--workspace"), other}),
            0);
        std::filesystem::rename(other.toStdString(), m_window->workspace().toStdString());
        workspaces().refresh();
        QTRY_COMPARE(workspaces().state(), WorkspaceState::Replaced);
        QVERIFY(workspaces().stateText().contains(QStringLiteral("taken the place")));
        QTRY_COMPARE(workspaces().results()->content().experiment, std::string("adhoc"));
        QVERIFY(!dialog());
        workspaces().acceptState();
        QCOMPARE(workspaces().state(), WorkspaceState::Sound);
    }

    void aChoiceThatIsCancelledOrFailsLeadsBackToTheQuestion()
    {
        loseARun();
        chooseFile()->reject();
        QTRY_VERIFY(isAsked());
        QVERIFY(dialog()->informativeText().contains(QStringLiteral("safe in memory")));
        writeText(m_window->file(QStringLiteral("taken.db")).toStdString(), "mine");
        saveElsewhere(QStringLiteral("taken.db"));
        QTRY_VERIFY(isAsked());
        QVERIFY(dialog()->text().contains(QStringLiteral("already")));
        saveElsewhere(QStringLiteral("elsewhere.db"));
        QTRY_COMPARE(workspaces().path(), m_window->file(QStringLiteral("elsewhere.db")));
        QTRY_COMPARE(workspaces().experiments() ? workspaces().experiments()->size() : 0, std::size_t(3));
        QVERIFY(!isAsked());
    }

    void nothingIsAskedWhileAFileIsChosenOrWritten()
    {
        std::filesystem::copy_file(m_window->workspace().toStdString(), m_window->file("copy.db").toStdString());
        removeWorkspace();
        workspaces().refresh();
        QTRY_VERIFY(isAsked());
        QFileDialog* files = chooseFile();
        QTRY_VERIFY(!dialog());
        std::filesystem::rename(m_window->file("copy.db").toStdString(), m_window->workspace().toStdString());
        workspaces().refresh();
        QTRY_COMPARE(workspaces().state(), WorkspaceState::Replaced);
        removeWorkspace();
        workspaces().refresh();
        QTRY_COMPARE(workspaces().state(), WorkspaceState::Missing);
        QVERIFY(!dialog());
        QMetaObject::invokeMethod(files, "accept");
        QTRY_COMPARE(workspaces().path(), m_window->file(QStringLiteral("results.rescued.db")));
        QVERIFY(!isAsked());
    }

    void whatIsInMemoryIsReachedFromTheMenuUntilItIsSaved()
    {
        QVERIFY(!rescue().isEnabled());
        loseARun();
        dialog()->button(QMessageBox::Close)->click();
        QTRY_VERIFY(!dialog());
        QVERIFY(m_window->window().commands().contains(&rescue()));
        rescue().trigger();
        QTRY_VERIFY(isAsked());
        saveElsewhere(QStringLiteral("elsewhere.db"));
        QTRY_COMPARE(workspaces().path(), m_window->file(QStringLiteral("elsewhere.db")));
        QTRY_COMPARE(workspaces().experiments() ? workspaces().experiments()->size() : 0, std::size_t(3));
        QTRY_VERIFY(!rescue().isEnabled());
    }

    void aWindowWithResultsInMemoryAsksBeforeItCloses()
    {
        loseARun();
        dialog()->button(QMessageBox::Close)->click();
        QTRY_VERIFY(!dialog());
        QTRY_VERIFY(!m_window->services().runs.isBusy()); // or the window asks whether to stop it
        QCOMPARE(questionsOnClosing(QMessageBox::Cancel), 1);
        QVERIFY(!QTest::qWaitFor([this] { return !m_window->window().isVisible(); }, 300));
        QCOMPARE(questionsOnClosing(QMessageBox::Discard), 1);
        QTRY_VERIFY(!m_window->window().isVisible());
    }

    void aFileThatIsThereIsNotReplacedByASave()
    {
        const QSignalSpy failed(&workspaces(), &WorkspaceService::failed);
        workspaces().saveElsewhere(m_window->workspace(), {});
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("already")));
        QCOMPARE(workspaces().path(), m_window->workspace());
    }

private:
    WorkspaceService& workspaces() { return m_window->services().workspaces; }

    // The newest: one that was closed goes with the next events.
    QMessageBox* dialog()
    {
        const auto all = m_window->window().findChildren<QMessageBox*>(QStringLiteral("lostWorkspaceDialog"));
        return all.isEmpty() ? nullptr : all.last();
    }

    bool isAsked() { return dialog() && dialog()->isVisible(); }

    QAction& rescue() { return *m_window->window().findChild<QAction*>(QStringLiteral("saveLostResults")); }

    // The workspace goes while a run has something that is not stored.
    void loseARun()
    {
        qputenv("HEADROOM_SCRIPT", "slow");
        m_window->run();
        QTRY_VERIFY(m_window->services().runs.progress().done >= 2);
        removeWorkspace();
        QTRY_VERIFY(isAsked());
    }

    // How often it asks; each question is given the answer.
    int questionsOnClosing(QMessageBox::StandardButton answer)
    {
        int questions = 0;
        QTimer look; // the question may take a while to be in front
        connect(&look, &QTimer::timeout, &look, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box == nullptr || box->button(answer) == nullptr)
                return;
            ++questions;
            box->button(answer)->click();
        });
        look.start(10);
        m_window->window().close();
        QCoreApplication::processEvents();
        return questions;
    }

    void removeWorkspace()
    {
        for (const char* ending : {"", "-wal", "-shm"})
            std::filesystem::remove(m_window->workspace().toStdString() + ending);
    }

    static int execute(const QStringList& arguments)
    {
        return QProcess::execute(QStringLiteral(HEADROOM_PROGRAM), arguments);
    }

    // All of it is in the file itself then, and none in the log.
    void compact()
    {
        QCOMPARE(execute({QStringLiteral("trace"), QStringLiteral("compact"), QStringLiteral("--workspace"),
                     m_window->workspace()}),
            0);
    }

    // By another process: this one must not close such a file. The page in which the rows of trials begin, and more.
    void damage()
    {
        QCOMPARE(QProcess::execute(QStringLiteral("dd"),
                     {QStringLiteral("if=/dev/urandom"), QStringLiteral("of=") + m_window->workspace(),
                         QStringLiteral("bs=4096"), QStringLiteral("seek=4"), QStringLiteral("count=6"),
                         QStringLiteral("conv=notrunc"), QStringLiteral("status=none")}),
            0);
    }

    QFileDialog* chooseFile()
    {
        dialog()->findChild<QPushButton*>(QStringLiteral("saveElsewhere"))->click();
        QFileDialog* files = nullptr;
        for (QFileDialog* each : m_window->window().findChildren<QFileDialog*>(QStringLiteral("rescueFileDialog")))
            if (each->isVisible()) // one that was left goes with the next events
                files = each;
        return files;
    }

    void saveElsewhere(const QString& name)
    {
        QFileDialog* files = chooseFile();
        QVERIFY(files);
        files->selectFile(m_window->file(name));
        QMetaObject::invokeMethod(files, "accept");
    }

    std::unique_ptr<OpenWindow> m_window;
};

HEADROOM_UI_TEST(RescueTest)

} // namespace headroom::ui

#include "RescueTest.moc"
