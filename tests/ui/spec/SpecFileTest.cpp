// SPDX-License-Identifier: Apache-2.0
#include "tests/support/TextFiles.h"
#include "tests/ui/FileBytes.h"
#include "tests/ui/UiTest.h"
#include "ui/spec/SpecSession.h"

#include <QFile>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headroom::ui {
namespace {

const std::string kFileSpec = "# mine\n[model]\nname = \"ffn-stack-tiny\"\n";

} // namespace

class SpecFileTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void aDeviceIsRefused()
    {
        SpecSession session;
        const std::string text = session.text();
        const QSignalSpy failed(&session, &SpecSession::failed);
        session.open(QStringLiteral("/dev/null"));
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.at(0).at(0).toString().contains(QStringLiteral("no regular file")));
        QCOMPARE(session.text(), text);
    }

    void aPipeThatNobodyWritesToIsRefused()
    {
        const QTemporaryDir folder;
        const QString pipe = folder.filePath(QStringLiteral("pipe.toml"));
        QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
        SpecSession session;
        const std::string text = session.text();
        const auto release = qScopeGuard([&] { // whoever waits for a writer, so that the test ends
            if (const int writer = ::open(qPrintable(pipe), O_WRONLY | O_NONBLOCK | O_CLOEXEC); writer >= 0)
                ::close(writer);
        });
        const QSignalSpy failed(&session, &SpecSession::failed);
        session.open(pipe);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.at(0).at(0).toString().contains(QStringLiteral("nobody writes to this pipe")));
        QCOMPARE(session.text(), text);
    }

    void whatIsEditedWhileAFileIsReadIsKept()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("other.toml"));
        writeText(path.toStdString(), "name = \"other\"\n");
        SpecSession session;
        session.loadText(kFileSpec, QStringLiteral("mine"));
        QSignalSpy failed(&session, &SpecSession::failed);
        session.open(path);
        session.set(QStringLiteral("workload.batch"), QStringLiteral("2"));
        const std::string text = session.text();
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.at(0).at(0).toString().contains(QStringLiteral("other.toml was not opened")));
        QCOMPARE(session.text(), text);
        QVERIFY(session.canUndo());
        session.open(path); // what was there before may be given up
        QTRY_COMPARE(session.path(), path);
    }

    void whatAnotherProgramWroteIsNotReplaced()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("mine.toml"));
        SpecSession session;
        session.loadText(kFileSpec, QStringLiteral("mine"));
        QSignalSpy saved(&session, &SpecSession::saved);
        QSignalSpy changed(&session, &SpecSession::changedElsewhere);
        session.saveAs(path);
        QTRY_COMPARE(saved.count(), 1);
        session.set(QStringLiteral("workload.batch"), QStringLiteral("2"));
        session.save();
        QTRY_COMPARE(saved.count(), 2);
        writeText(path.toStdString(), "# of an editor\n");
        session.set(QStringLiteral("workload.batch"), QStringLiteral("4"));
        session.save();
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(bytesOf(path), QByteArray("# of an editor\n"));
        QVERIFY(session.isModified());
        QFile::remove(path);
        session.save();
        QTRY_COMPARE(saved.count(), 3);
        QCOMPARE(bytesOf(path), QByteArray::fromStdString(session.text()));
        QCOMPARE(changed.count(), 1);
    }
};

HEADROOM_UI_TEST(SpecFileTest)

} // namespace headroom::ui

#include "SpecFileTest.moc"
