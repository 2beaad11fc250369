// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/FitModel.h"

#include "tests/ui/UiTest.h"

#include <QAbstractItemModelTester>

namespace headroom::ui {

class FitModelTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void showsChangesWithTheirPredictedFigures()
    {
        FitModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        experiments::FitVerdict verdict;
        verdict.usableBytes = 24 * kGiB;
        verdict.contextBytes = kGiB;
        model.setChanges(
            {{{{"techniques.checkpointing", "none", "every:4"}, {"workload.batch", "4", "2"}}, {}, 18 * kGiB, 2.5},
                {{{"techniques.split_ffn", "off", "2"}}, {}, 20 * kGiB, std::nullopt}},
            verdict);
        const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(text(0, FitModel::Change), QStringLiteral("checkpointing every:4, batch 2"));
        QCOMPARE(text(0, FitModel::Need), QStringLiteral("19.0 GiB"));
        QCOMPARE(text(0, FitModel::Free), QStringLiteral("5.00 GiB"));
        QCOMPARE(text(0, FitModel::Speed), QStringLiteral("2.50 it/s"));
        QCOMPARE(text(1, FitModel::Speed), QStringLiteral("not known"));
        model.setChanges({}, verdict);
        QCOMPARE(model.rowCount(), 0);
    }
};

HEADROOM_UI_TEST(FitModelTest)

} // namespace headroom::ui

#include "FitModelTest.moc"
