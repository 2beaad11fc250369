// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/HandoffDialog.h"

#include "experiments/handoff/Handoff.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/plan/PlanTrials.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>

namespace headroom::ui {

class HandoffDialogTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void theTextIsThatOfTheCommandLine()
    {
        const config::Trial trial = hugeTrial();
        HandoffDialog dialog(trial, nullptr);
        dialog.setTarget(QStringLiteral("pytorch"));
        QCOMPARE(dialog.text().toStdString(), experiments::handOff(trial, "pytorch").text);
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Cop&y")) // Close has the C
                button->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), dialog.text());
    }

    // It begins with a trainer that can run the model, and says why another cannot.
    void aTrainerThatCannotRunTheModelSaysWhy()
    {
        config::Trial trial = hugeTrial();
        trial.configuration.workload.step = config::StepKind::Inference;
        HandoffDialog dialog(trial, nullptr);
        QVERIFY(!dialog.text().isEmpty());
        dialog.setTarget(QStringLiteral("torchtitan")); // it trains
        QCOMPARE(dialog.target(), QStringLiteral("torchtitan"));
        QVERIFY(dialog.text().isEmpty());
        const auto* message = dialog.findChild<QLabel*>(QStringLiteral("handoffMessage"));
        QVERIFY(!message->text().isEmpty());
    }

    void everyTargetIsOffered()
    {
        HandoffDialog dialog(hugeTrial(), nullptr);
        const auto* targets = dialog.findChild<QComboBox*>(QStringLiteral("handoffTarget"));
        QCOMPARE(static_cast<std::size_t>(targets->count()), experiments::handoffTargets().size());
    }
};

HEADROOM_UI_TEST(HandoffDialogTest)

} // namespace headroom::ui

#include "HandoffDialogTest.moc"
