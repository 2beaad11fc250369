// SPDX-License-Identifier: Apache-2.0
#include "ui/recordings/RecordingImporter.h"

#include "profiling/store/workspace/Workspace.h"
#include "tests/support/Checkout.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/recordings/ImportedWorkspace.h"
#include "ui/recordings/RecordingDesk.h"

#include <QSignalSpy>

namespace headroom::ui {

class RecordingImporterTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void aFileBecomesAnExperiment()
    {
        RecordingImporter importer;
        const QSignalSpy imported(&importer, &RecordingImporter::imported);
        importer.import(corpus("two_devices.pickle"), workspace());
        QVERIFY(importer.isBusy());
        QTRY_COMPARE(imported.size(), 1);
        QVERIFY(!importer.isBusy());
        const auto result = imported.front().front().value<ImportedFile>();
        QCOMPARE(result.name, QStringLiteral("two_devices"));
        QCOMPARE(result.workspace, workspace());
        auto stored = store::Workspace::open(workspace().toStdString(), store::Access::ReadOnly);
        QCOMPARE(stored.trials(result.experiment).size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(stored.trials(result.experiment).front().trialId), result.trial);
    }

    void theDeviceThatRanOutOfMemoryIsLookedAtFirst()
    {
        RecordingImporter importer;
        const QSignalSpy imported(&importer, &RecordingImporter::imported);
        importer.import(corpus("out_of_memory.pickle"), workspace());
        importer.import(corpus("protocol_4.pickle"), workspace());
        QTRY_COMPARE(imported.size(), 2);
        auto stored = store::Workspace::open(workspace().toStdString(), store::Access::ReadOnly);
        const auto result = imported.front().front().value<ImportedFile>();
        for (const store::TrialRow& trial : stored.trials(result.experiment))
            if (QString::fromStdString(trial.trialId) == result.trial)
                QCOMPARE(stored.repeats(trial.id).front().outcome, Outcome::OutOfMemory);
        QCOMPARE(imported.back().front().value<ImportedFile>().name, QStringLiteral("protocol_4"));
    }

    void whatCannotBeReadIsOneSentenceWithItsFile()
    {
        RecordingImporter importer;
        const QSignalSpy failed(&importer, &RecordingImporter::failed);
        importer.import(corpus("noise.bin"), workspace());
        QTRY_COMPARE(failed.size(), 1);
        const QString message = failed.front().back().toString();
        QVERIFY2(message.startsWith(QStringLiteral("noise.bin: ")), qPrintable(message));
        QVERIFY2(message.contains(QStringLiteral("What can be opened: ")), qPrintable(message));
        QVERIFY(!importer.isBusy());
        importer.import(QStringLiteral("/nowhere/at.all"), workspace());
        QTRY_COMPARE(failed.size(), 2);
    }

    void whatIsCancelledLeavesNothing()
    {
        const QString file = m_folder.filePath(QStringLiteral("long.json"));
        std::ofstream(file.toStdString()) << dyingRunSnapshot({.forSegments = 200 * kGiB, .layers = 60});
        RecordingImporter importer;
        ImportBar bar(importer);
        const QSignalSpy imported(&importer, &RecordingImporter::imported);
        const QSignalSpy cancelled(&importer, &RecordingImporter::cancelled);
        const QSignalSpy progressed(&importer, &RecordingImporter::progressed);
        importer.import(file, workspace());
        QVERIFY(!bar.isHidden());
        QTRY_VERIFY(progressed.size() >= 2);
        bar.findChild<QToolButton*>(QStringLiteral("importCancel"))->click();
        QTRY_COMPARE(cancelled.size(), 1);
        QVERIFY(bar.isHidden());
        QCOMPARE(imported.size(), 0);
        if (QFile::exists(workspace()))
            QVERIFY(store::Workspace::open(workspace().toStdString(), store::Access::ReadOnly).experiments().empty());
    }

    void aFileIsToldByItsContent()
    {
        RecordingImporter importer;
        const QSignalSpy sorted(&importer, &RecordingImporter::sorted);
        importer.sort(corpus("snapshot.json"));
        importer.sort(corpus("other.json"));
        store::Workspace::open(workspace().toStdString(), store::Access::Create);
        importer.sort(workspace());
        QTRY_COMPARE(sorted.size(), 3);
        QCOMPARE(sorted[0].back().value<FileSort>(), FileSort::Recording);
        QCOMPARE(sorted[1].back().value<FileSort>(), FileSort::Other);
        QVERIFY(sorted[2].back().value<FileSort>() != FileSort::Recording);
    }

protected Q_SLOTS:
    void init()
    {
        UiTest::init();
        QFile::remove(workspace());
    }

private:
    static QString corpus(const char* name)
    {
        return QString::fromStdString(checkout(std::string("tests/fuzz/corpus/recording/") + name).string());
    }
    QString workspace() const { return m_folder.filePath(QStringLiteral("w.db")); }

    QTemporaryDir m_folder;
};

HEADROOM_UI_TEST(RecordingImporterTest)

} // namespace headroom::ui

#include "RecordingImporterTest.moc"
