// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/PlanTableModel.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/plan/PlanTrials.h"
#include "ui/plan/PlanFigure.h"

#include <QAbstractItemModelTester>

namespace headroom::ui {

using experiments::FitVerdict;
using experiments::PlannedChoice;
using experiments::PlanResult;

namespace {

// A card of 24 GiB with 1 GiB for the driver.
PlannedChoice choiceOf(int batch, double gib, double seconds)
{
    PlannedChoice choice{hugeTrial(batch), {{"workload.batch", "16", std::to_string(batch)}}, {}, {}};
    const auto bytes = static_cast<Bytes>(gib * double(kGiB));
    choice.figures = {bytes, bytes, seconds};
    choice.verdict.usableBytes = 24 * kGiB;
    choice.verdict.contextBytes = 1 * kGiB;
    choice.verdict.reservedBytes = bytes;
    choice.verdict.kind = gib <= 22.5 ? FitVerdict::Kind::Fits : FitVerdict::Kind::DoesNotFit;
    return choice;
}

PlanResult smallPlanResult()
{
    PlanResult plan;
    plan.asked = choiceOf(16, 30, 1.0);
    plan.asked.changes.clear();
    plan.answer = choiceOf(8, 20, 2.0);
    plan.leastMemory = choiceOf(4, 10, 2.05);
    plan.front = {*plan.answer, choiceOf(2, 5, 4.0)};
    plan.predicted = {plan.asked, *plan.answer, *plan.leastMemory, plan.front.back(), choiceOf(64, 100, 0.9)};
    return plan;
}

} // namespace

class PlanTableModelTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void theAnswerComesFirstAndWhatWasAskedLast()
    {
        const PlanResult plan = smallPlanResult();
        PlanTableModel model;
        const QAbstractItemModelTester tester(&model);
        model.setRows(rowsOf(plan), plan.answer->figures.seconds);
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(text(model, 0, PlanTableModel::Role), QStringLiteral("answer"));
        QCOMPARE(text(model, 0, PlanTableModel::Change), QStringLiteral("batch 8"));
        QCOMPARE(text(model, 0, PlanTableModel::Need), QStringLiteral("21.0 GiB"));
        QCOMPARE(text(model, 0, PlanTableModel::Free), QStringLiteral("3.00 GiB"));
        QCOMPARE(text(model, 0, PlanTableModel::Speed), QStringLiteral("0.500 steps/s"));
        QCOMPARE(text(model, 0, PlanTableModel::Lost), QStringLiteral("none"));
        QCOMPARE(text(model, 1, PlanTableModel::Role), QStringLiteral("least memory"));
        QCOMPARE(text(model, 2, PlanTableModel::Lost), QStringLiteral("50.0 %"));
        QCOMPARE(text(model, 3, PlanTableModel::Role), QStringLiteral("as asked"));
        QCOMPARE(text(model, 3, PlanTableModel::Change), QStringLiteral("as it is"));
        QCOMPARE(text(model, 3, PlanTableModel::Free), QStringLiteral("7.00 GiB too much"));
        QCOMPARE(text(model, 3, PlanTableModel::Lost), QStringLiteral("does not fit"));
        QCOMPARE(model.rowOf(plan.front.back().trial), 2);
        QCOMPARE(model.rowOf(hugeTrial(3)), -1);
    }

    void aRowThatIsSeveralThingsIsListedOnce()
    {
        PlanResult plan = smallPlanResult();
        plan.asked = *plan.answer;
        plan.leastMemory = plan.answer;
        const auto rows = rowsOf(plan);
        QCOMPARE(rows.size(), 2U);
        QCOMPARE(rows.front().role, QStringLiteral("answer, least memory, as asked"));
    }

    // What needs four times the card would leave no room to tell the rest apart.
    void theFigureLeavesOutWhatIsFarBeyondTheCard()
    {
        const PlanResult plan = smallPlanResult();
        const FigurePtr figure = planFigure(plan.predicted, rowsOf(plan), "rtx4090");
        QCOMPARE(figure->marks.size(), 4U);
        QVERIFY(std::ranges::none_of(figure->marks, [](const figures::Mark& mark) { return mark.id == "4"; }));
        QVERIFY(std::ranges::any_of(
            figure->notes, [](const std::string& note) { return note.starts_with("1 combination far to the right"); }));
        const auto answer = std::ranges::find(figure->marks, std::string("1"), &figures::Mark::id);
        QCOMPARE(answer->label, std::string("answer"));
        QCOMPARE(answer->hover.title, std::string("batch 8 · fits"));
        QCOMPARE(figure->references.size(), 1U);
        QCOMPARE(figure->references.front().at, 24.0);
    }

private:
    static QString text(const PlanTableModel& model, int row, PlanTableModel::Column column)
    {
        return model.index(row, column).data().toString();
    }
};

HEADROOM_UI_TEST(PlanTableModelTest)

} // namespace headroom::ui

#include "PlanTableModelTest.moc"
