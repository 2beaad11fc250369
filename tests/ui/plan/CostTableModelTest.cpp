// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/CostTableModel.h"

#include "tests/ui/UiTest.h"

#include <QAbstractItemModelTester>

namespace headroom::ui {

using experiments::CardCost;
using experiments::FitVerdict;

namespace {

// Of a card with 24 GiB, 1 GiB of them for the driver.
CardCost cardCost(const char* device, double gib, double stepSeconds, std::optional<double> perHour = {})
{
    CardCost cost;
    cost.device = device;
    cost.verdict.usableBytes = 24 * kGiB;
    cost.verdict.contextBytes = kGiB;
    cost.verdict.reservedBytes = static_cast<Bytes>(gib * double(kGiB));
    cost.verdict.kind = gib < 22 ? FitVerdict::Kind::Fits : FitVerdict::Kind::DoesNotFit;
    cost.stepSeconds = stepSeconds;
    if (perHour)
        cost.price = experiments::CardPrice{"", *perHour, "an invoice", "2026-11-25"};
    return cost;
}

} // namespace

class CostTableModelTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void hoursFollowTheStepsAndWhatDoesNotFitComesLast()
    {
        CostTableModel model;
        const QAbstractItemModelTester tester(&model);
        model.setSteps(3600);
        model.setCosts({cardCost("sim:small@torch-2.11", 30, 0.1), cardCost("sim:slow@torch-2.11", 9, 4),
                           cardCost("sim:fast@torch-2.11", 9, 2)},
            {});
        QCOMPARE(model.columnCount(), static_cast<int>(CostTableModel::Money)); // no prices, no column
        QCOMPARE(text(model, 0, CostTableModel::Card), QStringLiteral("fast"));
        QCOMPARE(text(model, 0, CostTableModel::Fits), QStringLiteral("yes"));
        QCOMPARE(text(model, 0, CostTableModel::Need), QStringLiteral("10.0 GiB"));
        QCOMPARE(text(model, 0, CostTableModel::Hours), QStringLiteral("2.00"));
        QCOMPARE(text(model, 1, CostTableModel::Hours), QStringLiteral("4.00"));
        QCOMPARE(text(model, 2, CostTableModel::Card), QStringLiteral("small"));
        QCOMPARE(text(model, 2, CostTableModel::Free), QStringLiteral("7.00 GiB too much"));
        QCOMPARE(text(model, 2, CostTableModel::Hours), QStringLiteral("–"));
        QCOMPARE(model.rowOf("slow"), 1);
        QCOMPARE(model.rowOf("fastest"), -1);
        model.setSteps(7200);
        QCOMPARE(text(model, 0, CostTableModel::Hours), QStringLiteral("4.00"));
    }

    void theCheapestComesFirstWithWhoSaysSo()
    {
        CostTableModel model;
        const QAbstractItemModelTester tester(&model);
        model.setSteps(3600);
        model.setCosts({cardCost("sim:fast@torch-2.11", 9, 2, 3.0), cardCost("sim:slow@torch-2.11", 9, 4, 1.25),
                           cardCost("sim:free@torch-2.11", 9, 1)},
            "EUR");
        QCOMPARE(
            model.headerData(CostTableModel::Money, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("EUR"));
        QCOMPARE(text(model, 0, CostTableModel::Card), QStringLiteral("slow"));
        QCOMPARE(text(model, 0, CostTableModel::Money), QStringLiteral("5.00"));
        QCOMPARE(text(model, 1, CostTableModel::Money), QStringLiteral("6.00"));
        QCOMPARE(text(model, 2, CostTableModel::Money), QStringLiteral("–")); // no price of this card
        QVERIFY(model.index(0, CostTableModel::Money)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("1.25 an hour: an invoice, 2026-11-25")));
    }

private:
    static QString text(const CostTableModel& model, int row, int column)
    {
        return model.index(row, column).data().toString();
    }
};

HEADROOM_UI_TEST(CostTableModelTest)

} // namespace headroom::ui

#include "CostTableModelTest.moc"
