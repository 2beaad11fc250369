// SPDX-License-Identifier: Apache-2.0
#include "ui/window/CommandPalette.h"

#include "tests/ui/UiTest.h"

#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>

namespace headroom::ui {

class CommandPaletteTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void aFewLettersAndEnterCarryTheActionOut()
    {
        QAction run(QStringLiteral("&Run"));
        run.setProperty("menuTitle", QStringLiteral("Experiment"));
        QAction reset(QStringLiteral("Reset layout"));
        QAction disabled(QStringLiteral("Reset nothing"));
        disabled.setEnabled(false);
        const QSignalSpy triggered(&reset, &QAction::triggered);
        CommandPalette palette({&run, &reset, &disabled}, nullptr);
        palette.show();
        auto* list = palette.findChild<QListWidget*>(QStringLiteral("commandList"));
        QCOMPARE(list->count(), 2);
        QCOMPARE(list->item(0)->text(), QStringLiteral("Experiment: Run"));
        QTest::keyClicks(palette.findChild<QLineEdit*>(QStringLiteral("commandWords")), QStringLiteral("lay RES"));
        QCOMPARE(list->count(), 1);
        QTest::keyClick(palette.findChild<QLineEdit*>(QStringLiteral("commandWords")), Qt::Key_Return);
        QTRY_COMPARE(triggered.count(), 1);
        QVERIFY(!palette.isVisible());
    }

    void arrowsChooseFromTheKeyboard()
    {
        QAction first(QStringLiteral("First"));
        QAction second(QStringLiteral("Second"));
        const QSignalSpy triggered(&second, &QAction::triggered);
        CommandPalette palette({&first, &second}, nullptr);
        palette.show();
        auto* words = palette.findChild<QLineEdit*>(QStringLiteral("commandWords"));
        QTest::keyClick(words, Qt::Key_Down);
        QTest::keyClick(words, Qt::Key_Down);
        QTest::keyClick(words, Qt::Key_Return);
        QTRY_COMPARE(triggered.count(), 1);
    }

    void enterWithoutAMatchDoesNothing()
    {
        QAction action(QStringLiteral("First"));
        const QSignalSpy triggered(&action, &QAction::triggered);
        CommandPalette palette({&action}, nullptr);
        palette.show();
        auto* words = palette.findChild<QLineEdit*>(QStringLiteral("commandWords"));
        QTest::keyClicks(words, QStringLiteral("zzz"));
        QTest::keyClick(words, Qt::Key_Return);
        QVERIFY(palette.isVisible());
        QCOMPARE(triggered.count(), 0);
    }
};

HEADROOM_UI_TEST(CommandPaletteTest)

} // namespace headroom::ui

#include "CommandPaletteTest.moc"
