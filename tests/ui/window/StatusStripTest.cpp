// SPDX-License-Identifier: Apache-2.0
#include "ui/window/StatusStrip.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/window/OpenWindow.h"

#include <QLabel>
#include <QStatusBar>

namespace headroom::ui {

class StatusStripTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void onlyTheFailureItselfHasItsColour()
    {
        OpenWindow open;
        QStatusBar bar;
        StatusStrip strip(open.services(), bar);
        strip.showFailure(QStringLiteral("The disk is full."));
        QCOMPARE(inkOf(bar), open.services().theme.alarm());
        bar.clearMessage(); // as a pointer over a menu does
        for (const char* name : {"statusWorkspace", "statusMachine", "statusQueue"})
            QCOMPARE(inkOf(*bar.findChild<QLabel*>(QLatin1String(name))), open.services().theme.ink());
    }

private:
    static QColor inkOf(const QWidget& widget) { return widget.palette().color(QPalette::WindowText); }
};

HEADROOM_UI_TEST(StatusStripTest)

} // namespace headroom::ui

#include "StatusStripTest.moc"
