// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/CardChooser.h"

#include "tests/ui/UiTest.h"

#include <QSignalSpy>
#include <QWheelEvent>

namespace headroom::ui {
namespace {

CardList cards()
{
    return {{{QStringLiteral("l40s"), QStringLiteral("NVIDIA L40S"), 45 * kGiB, kGiB},
                {QStringLiteral("rtx4090"), QStringLiteral("NVIDIA GeForce RTX 4090"), 23 * kGiB, kGiB}},
        {{QStringLiteral("torch-2.11"), {}}, {QStringLiteral("torch-2.5"), {}}}};
}

} // namespace

class CardChooserTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void takesTheCardOfThePlan()
    {
        CardChooser chooser;
        chooser.setCards(cards());
        chooser.setPlanned(config::parseDevice("sim:l40s@torch-2.5", ""));
        QCOMPARE(chooser.device().notation(), std::string("sim:l40s@torch-2.5"));
    }

    void standsInForADeviceThatIsNotSimulated()
    {
        CardChooser chooser;
        chooser.setCards(cards());
        chooser.setPlanned(config::parseDevice("cpu", ""));
        QCOMPARE(chooser.device().notation(), std::string("sim:rtx4090@torch-2.11"));
        chooser.setPlanned(config::parseDevice("sim:cpu", ""));
        QCOMPARE(chooser.device().name(), std::string("sim:rtx4090"));
    }

    void aChoiceOutlivesThePlan()
    {
        CardChooser chooser;
        chooser.setChoice(QStringLiteral("l40s@torch-2.5"));
        chooser.setCards(cards());
        chooser.setPlanned(config::parseDevice("sim:rtx4090", ""));
        QCOMPARE(chooser.device().notation(), std::string("sim:l40s@torch-2.5"));
        QCOMPARE(chooser.choice(), QStringLiteral("l40s@torch-2.5"));
    }

    void choosingWithTheKeyboardIsAnnouncedOnce()
    {
        CardChooser chooser;
        chooser.setCards(cards());
        QSignalSpy changed(&chooser, &CardChooser::changed);
        auto* combo = chooser.findChild<QComboBox*>(QStringLiteral("answerCard"));
        QTest::keyClick(combo, Qt::Key_Down);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(chooser.device().name(), std::string("sim:l40s"));
        QCOMPARE(chooser.choice(), QStringLiteral("l40s"));
    }

    void theWheelChangesNothingWithoutFocus()
    {
        CardChooser chooser;
        chooser.setCards(cards());
        auto* combo = chooser.findChild<QComboBox*>(QStringLiteral("answerCard"));
        QWheelEvent wheel({5, 5}, combo->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
            Qt::NoScrollPhase, false);
        QApplication::sendEvent(combo, &wheel);
        QCOMPARE(combo->currentIndex(), 0);
    }
};

HEADROOM_UI_TEST(CardChooserTest)

} // namespace headroom::ui

#include "CardChooserTest.moc"
