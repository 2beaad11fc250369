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
        QCOMPARE(
            changeText(before, now), QStringLiteral("checkpointing none → all: -13.0 GiB (-65.0 %), speed -20.0 %"));
        QCOMPARE(
            changeText(now, before), QStringLiteral("checkpointing all → none: +13.0 GiB (+185.7 %), speed +25.0 %"));
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
        QCOMPARE(changeText(before, now), QStringLiteral("checkpointing none → all: peak not known, same speed"));
    }

    void amountsAreReadInAnyLanguage()
    {
        const QLocale language;
        QLocale::setDefault(QLocale(QLocale::German));
        const auto before = prediction(ltxPlan("\"none\"").front().trial, 20 * kGiB, 0.4);
        const auto now = prediction(ltxPlan("\"all\"").front().trial, 7 * kGiB, 0.5);
        QCOMPARE(
            changeText(before, now), QStringLiteral("checkpointing none → all: -13.0 GiB (-65.0 %), speed -20.0 %"));
        QLocale::setDefault(language);
    }
};

HEADROOM_UI_TEST(AnswerTextTest)

} // namespace headroom::ui

#include "AnswerTextTest.moc"
