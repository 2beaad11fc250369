// SPDX-License-Identifier: Apache-2.0
#include "ui/look/FileDialog.h"

#include "tests/support/TextFiles.h"
#include "tests/ui/UiTest.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

namespace headroom::ui {

class FileDialogTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void namesAreWhatEveryFileSystemTakes()
    {
        QCOMPARE(FileDialog::nameOf(QStringLiteral("a sweep/1, sim:rtx4090 (2026-03-01)")),
            QStringLiteral("a-sweep-1-sim-rtx4090-2026-03-01"));
        QCOMPARE(FileDialog::nameOf({}), QString());
        QVERIFY(FileDialog::nameOf(QString(300, QChar(0xe9))).toUtf8().size() <= 200);
    }

    // Also where the ending is added to what was typed.
    void anExistingFileIsChosenOnlyAfterAQuestion_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("whole") << QStringLiteral("plot.png");
        QTest::newRow("without its ending") << QStringLiteral("plot");
    }

    void anExistingFileIsChosenOnlyAfterAQuestion()
    {
        QFETCH(QString, typed);
        const QTemporaryDir folder;
        writeText(folder.filePath(QStringLiteral("plot.png")).toStdString(), "of somebody");
        for (const auto answer : {QMessageBox::No, QMessageBox::Yes}) {
            FileDialog dialog(nullptr, QStringLiteral("Save plot"), folder.path());
            dialog.setAcceptMode(QFileDialog::AcceptSave);
            dialog.setDefaultSuffix(QStringLiteral("png"));
            const QSignalSpy chosen(&dialog, &QFileDialog::fileSelected);
            dialog.show();
            QVERIFY(QTest::qWaitForWindowExposed(&dialog));
            auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            name->setText(typed);
            bool wasAsked = false;
            QTimer look;
            connect(&look, &QTimer::timeout, &look, [&] {
                auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                if (question == nullptr || wasAsked)
                    return;
                wasAsked = true;
                question->button(answer)->click();
            });
            look.start(10);
            dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
            QVERIFY(wasAsked);
            QCOMPARE(chosen.count(), answer == QMessageBox::Yes ? 1 : 0);
            QCOMPARE(dialog.isVisible(), answer == QMessageBox::No);
        }
    }
};

HEADROOM_UI_TEST(FileDialogTest)

} // namespace headroom::ui

#include "FileDialogTest.moc"
