// SPDX-License-Identifier: Apache-2.0
#include "ui/start/FirstRunPage.h"

#include "core/config/Installation.h"
#include "experiments/spec/PresetCatalogue.h"
#include "tests/ui/UiTest.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

namespace headroom::ui {

class FirstRunPageTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void eachExampleIsAPresetThatExists()
    {
        FirstRunPage page;
        const QSignalSpy chosen(&page, &FirstRunPage::exampleChosen);
        const auto buttons = page.findChildren<QPushButton*>(QRegularExpression(QStringLiteral("^example-")));
        QCOMPARE(buttons.size(), 2);
        for (QPushButton* button : buttons) {
            button->click();
            const std::string preset = chosen.last().at(0).toString().toStdString();
            experiments::findPreset(preset, config::resourceDirectory());
        }
        QCOMPARE(chosen.count(), 2);
    }

    void theSentenceAboutTheMachineIsShown()
    {
        FirstRunPage page;
        page.setMachine(QStringLiteral("No GPU here."));
        QCOMPARE(page.findChild<QLabel*>(QStringLiteral("machineSentence"))->text(), QStringLiteral("No GPU here."));
    }
};

HEADROOM_UI_TEST(FirstRunPageTest)

} // namespace headroom::ui

#include "FirstRunPageTest.moc"
