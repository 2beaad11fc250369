// SPDX-License-Identifier: Apache-2.0
#include "ui/window/ShortcutSheet.h"

#include "tests/ui/UiTest.h"

#include <QAction>
#include <QTableWidget>

namespace headroom::ui {

class ShortcutSheetTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void everyActionWithKeysIsListed()
    {
        QAction run(QStringLiteral("&Run"));
        run.setShortcuts({QKeySequence(Qt::Key_F5), QKeySequence(Qt::CTRL | Qt::Key_R)});
        QAction without(QStringLiteral("Without"));
        const ShortcutSheet sheet({&run, &without}, nullptr);
        const auto* table = sheet.findChild<QTableWidget*>(QStringLiteral("shortcutTable"));
        QCOMPARE(table->rowCount(), 1);
        QCOMPARE(table->item(0, 0)->text(), QStringLiteral("Run"));
        QCOMPARE(table->item(0, 1)->text(), QStringLiteral("F5, Ctrl+R"));
    }
};

HEADROOM_UI_TEST(ShortcutSheetTest)

} // namespace headroom::ui

#include "ShortcutSheetTest.moc"
