// SPDX-License-Identifier: Apache-2.0
//
// A recording in the window: dropped or chosen, it becomes an experiment with a timeline, frames, segments and answers.
#include "tests/support/Checkout.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/recordings/ImportedWorkspace.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/recordings/RecordingDesk.h"
#include "ui/recordings/WhatIfTableModel.h"
#include "ui/recordings/WhatIfView.h"
#include "ui/segments/SegmentsView.h"
#include "ui/timeline/TimelineView.h"
#include "ui/window/MainWindow.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QTreeView>

namespace headroom::ui {

class RecordingsTest : public UiTest {
    Q_OBJECT

protected Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_window = std::make_unique<OpenWindow>();
        m_window->window().resize(1440, 900);
    }
    void cleanup() { m_window.reset(); }

private Q_SLOTS:
    void aDroppedRecordingIsAnExperimentWithItsTimeline()
    {
        drop(written("oom.json", dyingRunSnapshot(kSmallDyingRun)));
        QTRY_VERIFY(shownTrial() != nullptr);
        QCOMPARE(shownTrial()->result.outcome, Outcome::OutOfMemory);
        TimelineView& timeline = *views().timeline;
        QTRY_VERIFY(timeline.stack().current() != nullptr && timeline.stack().current()->summary);
        QVERIFY(!views().dockOf(views().timeline)->visibleRegion().isEmpty());
        QCOMPARE(m_window->window().preferences().recentRecordings.size(), 1);
        auto* grouping = timeline.findChild<QComboBox*>(QStringLiteral("peakGrouping"));
        const int frames = grouping->findData(QStringLiteral("frame"));
        QVERIFY2(frames >= 0, "the call stacks are on offer");
        grouping->setCurrentIndex(frames);
        const auto* tree = timeline.findChild<QTreeView*>(QStringLiteral("peakTree"));
        const QModelIndex first = tree->model()->index(0, 0, tree->model()->index(0, 0));
        QVERIFY2(first.data().toString().contains(QStringLiteral("finetune.py:")), qPrintable(first.data().toString()));
    }

    void itsSegmentsFollowTheTimelinesCursor()
    {
        drop(written("oom.json", dyingRunSnapshot(kSmallDyingRun)));
        QTRY_VERIFY(shownTrial() != nullptr);
        TimelineStack& stack = views().timeline->stack();
        QTRY_VERIFY(stack.current() != nullptr && stack.current()->hasTrace());
        views().bringForward(views().segments);
        QTRY_VERIFY(views().segments->moment());
        const std::uint64_t last = views().segments->moment()->state.events;
        stack.setCursor(stack.navigator().whole().lengthNs() / 3);
        QTRY_VERIFY(views().segments->moment()->state.events < last);
        const std::int64_t shown = views().segments->moment()->timeNs();
        QVERIFY(shown <= *stack.cursor());
        views().segments->showEvents(last);
        QTRY_COMPARE(views().segments->moment()->state.events, last);
        QTRY_COMPARE(
            *stack.cursor(), std::min(views().segments->moment()->timeNs(), stack.navigator().whole().endNs - 1));
        QTRY_VERIFY(stack.source().isIdle());
        QCOMPARE(views().segments->moment()->state.events, last); // the cursor's place does not move it again
    }

    void whatWouldHaveHelpedIsAnswered()
    {
        drop(written("oom.json", dyingRunSnapshot(kSmallDyingRun)));
        QTRY_VERIFY(shownTrial() != nullptr);
        QTRY_VERIFY(views().timeline->stack().current()->hasTrace());
        views().bringForward(views().whatIf);
        QTRY_VERIFY(views().whatIf->model().rowCount() > 3);
        QTRY_VERIFY2(views().whatIf->suggestion().contains(QStringLiteral("export PYTORCH_CUDA_ALLOC_CONF=")),
            qPrintable(views().whatIf->suggestion()));
    }

    void whatIsNoRecordingIsRefusedInOneMessage()
    {
        m_window->window().recordings().open(QString::fromStdString(written("notes.txt", "no recording")));
        QMessageBox* box = nullptr;
        QTRY_VERIFY((box = m_window->window().findChild<QMessageBox*>(QStringLiteral("recordingRefused"))) != nullptr);
        QVERIFY2(box->informativeText().startsWith(QStringLiteral("notes.txt: ")), qPrintable(box->informativeText()));
        box->close();
        QVERIFY(m_window->window().preferences().recentRecordings.isEmpty());
    }

    void otherFilesAreOpenedAsBefore()
    {
        const std::string other = m_window->file(QStringLiteral("other.db")).toStdString();
        awayFromTheWindow([&] { store::Workspace::open(other, store::Access::Create); });
        drop(other);
        QTRY_COMPARE(m_window->services().workspaces.path(), QString::fromStdString(other));
        drop(written("mine.toml", "[model]\nname = \"ffn-stack-tiny\"\n[device]\nname = \"cpu\"\n"));
        QTRY_VERIFY(m_window->services().spec.path().endsWith(QStringLiteral("mine.toml")));
    }

    void recentRecordingsAreInTheMenu()
    {
        drop(written("oom.json", dyingRunSnapshot(kSmallDyingRun)));
        QTRY_VERIFY(shownTrial() != nullptr);
        bool isThere = false;
        for (const QAction* action : m_window->window().commands())
            isThere = isThere || action->text() == QStringLiteral("oom.json");
        QVERIFY(isThere);
    }

private:
    WindowViews& views() { return m_window->window().views(); }

    std::string written(const char* name, const std::string& content) const
    {
        const std::string file = m_window->file(QLatin1String(name)).toStdString();
        awayFromTheWindow([&] { std::ofstream(file, std::ios::binary) << content; });
        return file;
    }

    void drop(const std::string& file)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(file))});
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&m_window->window(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&m_window->window(), &event);
    }

    /// The trial that is selected, of a recording; null before that.
    const report::ReportTrial* shownTrial()
    {
        const Results& results = m_window->services().workspaces.results();
        const QString selected = m_window->services().selection.current();
        return results && !selected.isEmpty() ? results->find(selected.toStdString()) : nullptr;
    }

    std::unique_ptr<OpenWindow> m_window;
};

HEADROOM_UI_TEST(RecordingsTest)

} // namespace headroom::ui

#include "RecordingsTest.moc"
