// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "ui/spec/SpecSession.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headroom::ui {

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
};

HEADROOM_UI_TEST(SpecFileTest)

} // namespace headroom::ui

#include "SpecFileTest.moc"
