// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/AnswerText.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/answer/Plans.h"

namespace headroom::ui {
namespace {

Prediction prediction(const config::Trial& trial, Bytes reserved, double seconds)
{
    Prediction made;
    made.trial = trial;
    made.result.outcome = Outcome::Completed;
    made.result.stepSeconds = {seconds};
    made.verdict.reservedBytes = reserved;
    return made;
}

} // namespace

class AnswerTextTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void aChangedTechniqueIsNamedWithWhatItSavesAndCosts()
    {
        const auto before = prediction(ltxPlan("\"none\"").front().trial, 20 * kGiB, 0.4);
        const auto now = prediction(ltxPlan("\"all\"").front().trial, 7 * kGiB, 0.5);
        QCOMPARE(changeText(before, now), QStringLiteral("checkpointing none → all: -13.0 GiB (-65 %), it/s -20 %"));
        QCOMPARE(changeText(now, before), QStringLiteral("checkpointing all → none: +13.0 GiB (+186 %), it/s +25 %"));
    }

    void theCardAndTheBatchAreChangesToo()
    {
        const auto before = ltxPlan("\"none\"").front().trial;
        QCOMPARE(differences(before, ltxPlan("\"none\"", "sim:l40s").front().trial),
            QStringList{QStringLiteral("card rtx4090 → l40s")});
        QCOMPARE(differences(before, ltxPlan("\"none\"", "sim:rtx4090", 4).front().trial),
            QStringList{QStringLiteral("batch 1 → 4")});
        QCOMPARE(differences(before, before), QStringList{});
    }

    void anotherModelIsOneChange()
    {
        QCOMPARE(differences(ltxPlan("\"none\"").front().trial, smallPlan().front().trial),
            QStringList{QStringLiteral("model ltx-video-2b → ffn-stack-tiny")});
    }

    void anUnknownPeakIsSaidToBeUnknown()
    {
        auto before = prediction(ltxPlan("\"none\"").front().trial, 20 * kGiB, 0.4);
        before.verdict.reservedBytes.reset();
        const auto now = prediction(ltxPlan("\"all\"").front().trial, 7 * kGiB, 0.4);
        QCOMPARE(changeText(before, now), QStringLiteral("checkpointing none → all: peak not known, it/s +0 %"));
    }

    void speedsHaveTheirUnits()
    {
        QCOMPARE(speedText(0.425), QStringLiteral("2.35 it/s (0.425 s/it)"));
        QCOMPARE(speedText(0.00123), QStringLiteral("813 it/s (1.23 ms/it)"));
        QCOMPARE(speedText(std::nullopt), QString());
    }

    void amountsAreReadInAnyLanguage()
    {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German));
        QCOMPARE(speedText(0.425), QStringLiteral("2.35 it/s (0.425 s/it)"));
        QLocale::setDefault(before);
    }
};

HEADROOM_UI_TEST(AnswerTextTest)

} // namespace headroom::ui

#include "AnswerTextTest.moc"
