// SPDX-License-Identifier: Apache-2.0
#include "ui/session/Selection.h"

#include "tests/ui/UiTest.h"

#include <QSignalSpy>

namespace headroom::ui {

class SelectionTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void theLastSelectedTrialIsTheCurrentOne()
    {
        Selection selection;
        selection.select({QStringLiteral("a"), QStringLiteral("b")});
        QCOMPARE(selection.current(), QStringLiteral("b"));
        selection.toggle(QStringLiteral("b"));
        QCOMPARE(selection.current(), QStringLiteral("a"));
        selection.toggle(QStringLiteral("c"));
        QCOMPARE(selection.trials(), (QStringList{QStringLiteral("a"), QStringLiteral("c")}));
    }

    void whatIsSelectedAlreadyIsNoChange()
    {
        Selection selection;
        const QSignalSpy changes(&selection, &Selection::changed);
        selection.select({QStringLiteral("a")});
        selection.select({QStringLiteral("a")});
        selection.setHovered({});
        QCOMPARE(changes.count(), 1);
        selection.clear();
        QCOMPARE(changes.count(), 2);
        QVERIFY(selection.current().isEmpty());
    }
};

HEADROOM_UI_TEST(SelectionTest)

} // namespace headroom::ui

#include "SelectionTest.moc"
