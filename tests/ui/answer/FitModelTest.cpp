// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/FitModel.h"

#include "core/config/catalogue/Configuration.h"
#include "tests/ui/UiTest.h"

#include <QAbstractItemModelTester>

namespace headroom::ui {

class FitModelTest : public UiTest {
    Q_OBJECT

private:
    static config::Trial trialOfBatch(std::int64_t batch)
    {
        config::Trial trial;
        trial.configuration = config::defaultConfiguration("ltx-video-tiny", "test");
        trial.configuration.workload.shapes["batch"] = batch;
        return trial;
    }

    // On a card of 24 GiB; half a second a step, had it room.
    static Prediction doesNotFit()
    {
        Prediction asked;
        asked.trial = trialOfBatch(4);
        asked.need.emplace().stepSeconds = {0.5};
        asked.verdict.usableBytes = 24 * kGiB;
        asked.verdict.contextBytes = kGiB;
        return asked;
    }

private Q_SLOTS:
    void showsChangesWithTheirPredictedFigures()
    {
        FitModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const Prediction asked = doesNotFit();
        model.setChanges({{{{"techniques.checkpointing", "none", "every:4"}, {"workload.batch", "4", "2"}},
                              trialOfBatch(2), 18 * kGiB, 2.5, 2 * kGiB, 0},
                             {{{"techniques.split_ffn", "off", "2"}}, trialOfBatch(4), 20 * kGiB, std::nullopt}},
            asked);
        const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(text(0, FitModel::Change), QStringLiteral("checkpointing every:4, batch 2"));
        QCOMPARE(text(0, FitModel::Need), QStringLiteral("19.0 GiB"));
        QCOMPARE(text(0, FitModel::Free), QStringLiteral("5.00 GiB"));
        QCOMPARE(text(0, FitModel::Speed), QStringLiteral("2.50 steps/s"));
        QCOMPARE(text(0, FitModel::Lost), QStringLiteral("37.5 %")); // 5 samples per second in place of 8
        QCOMPARE(text(0, FitModel::Host), QStringLiteral("2.00 GiB pinned"));
        QCOMPARE(text(1, FitModel::Speed), QStringLiteral("not known"));
        QCOMPARE(text(1, FitModel::Lost), QStringLiteral("not known"));
        QCOMPARE(text(1, FitModel::Host), QStringLiteral("none"));
        QCOMPARE(model.rowOf({{"techniques.split_ffn", "off", "2"}}), 1);
        QCOMPARE(model.rowOf({}), -1);
        for (const int column : {FitModel::Need, FitModel::Lost, FitModel::Host})
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        model.setChanges({}, asked);
        QCOMPARE(model.rowCount(), 0);
    }
};

HEADROOM_UI_TEST(FitModelTest)

} // namespace headroom::ui

#include "FitModelTest.moc"
