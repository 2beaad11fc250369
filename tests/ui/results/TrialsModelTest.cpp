// SPDX-License-Identifier: Apache-2.0
#include "ui/results/TrialsFilterModel.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/results/SketchedResults.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace headroom::ui {
namespace {

QStringList column(const QAbstractItemModel& model, int column)
{
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts.append(model.index(row, column).data().toString());
    return texts;
}

} // namespace

class TrialsModelTest : public UiTest {
    Q_OBJECT

private:
    using Tester = QAbstractItemModelTester;
    static constexpr auto kMode = Tester::FailureReportingMode::QtTest;

    // Five trials whose peaks and speeds are out of order; one has none.
    static Results five(double lastSpeed = 4)
    {
        return sketchedResults({{.splitFfn = "16", .peakGib = 9, .stepsPerSecond = 1.5},
            {.splitFfn = "2", .peakGib = 12, .stepsPerSecond = 1.25}, {.splitFfn = "off", .outcome = "out_of_memory"},
            {.splitFfn = "8", .device = "cpu", .peakGib = 7.5, .stepsPerSecond = 0.5},
            {.splitFfn = "4", .peakGib = 110, .stepsPerSecond = lastSpeed}});
    }

private Q_SLOTS:
    void columnsWordsAndUnitsAreThoseOfTheReport()
    {
        TrialsModel model;
        const Tester tester(&model, kMode);
        model.setResults(five());
        QCOMPARE(model.rowCount(), 5);
        QVERIFY(model.columnOf(QStringLiteral("peak allocated")) >= 0);
        const int peak = model.columnOf(QStringLiteral("peak reserved"));
        QCOMPARE(model.headerData(peak, Qt::Horizontal).toString(), QStringLiteral("peak reserved (GiB)"));
        QCOMPARE(model.index(0, peak).data().toString(), QStringLiteral("9.000"));
        QCOMPARE(model.index(2, peak).data().toString(), QStringLiteral("-"));
        QCOMPARE(model.index(2, model.columnOf(QStringLiteral("outcome"))).data().toString(),
            QStringLiteral("out of memory"));
        const auto alignment = model.index(0, peak).data(Qt::TextAlignmentRole).value<Qt::Alignment>();
        QVERIFY(alignment.testFlag(Qt::AlignRight));
    }

    void predictionsAreMarkedInWords()
    {
        TrialsModel model;
        model.setResults(five());
        const int peak = model.columnOf(QStringLiteral("peak allocated"));
        QVERIFY(model.index(0, peak).data(TrialsModel::IsPredictedRole).toBool());
        QVERIFY(model.index(0, peak).data(Qt::ToolTipRole).toString().contains(QStringLiteral("not measured")));
        QVERIFY(model.index(0, peak).data(Qt::ToolTipRole).toString().contains(QStringLiteral("9,663,676,416 bytes")));
        QCOMPARE(model.index(0, peak).data(Qt::AccessibleTextRole).toString(), QStringLiteral("9.000, predicted"));
        QVERIFY(!model.index(3, peak).data(TrialsModel::IsPredictedRole).toBool());
        QVERIFY(!model.index(3, peak).data(Qt::ToolTipRole).toString().contains(QStringLiteral("redicted")));
    }

    void whyATrialHasNoFiguresIsInTheToolTipOfItsOutcome()
    {
        TrialsModel model;
        model.setResults(five());
        QCOMPARE(model.index(2, model.columnOf(QStringLiteral("outcome"))).data(Qt::ToolTipRole).toString(),
            QStringLiteral("as it was sketched"));
    }

    void numbersAreSortedAsNumbersAndWhatIsUnknownStaysLast()
    {
        TrialsModel model;
        TrialsFilterModel sorted(model);
        const Tester tester(&sorted, kMode);
        model.setResults(five());
        const int peak = model.columnOf(QStringLiteral("peak allocated"));
        sorted.sort(peak, Qt::AscendingOrder);
        QCOMPARE(column(sorted, peak), QStringList({"7.500", "9.000", "12.000", "110.000", "-"}));
        sorted.sort(peak, Qt::DescendingOrder);
        QCOMPARE(column(sorted, peak), QStringList({"110.000", "12.000", "9.000", "7.500", "-"}));
        sorted.sort(-1);
        QCOMPARE(column(sorted, peak), column(model, peak));
    }

    void numbersInWordsAreSortedBySize()
    {
        TrialsModel model;
        TrialsFilterModel sorted(model);
        model.setResults(five());
        const int techniques = model.columnOf(QStringLiteral("techniques"));
        sorted.sort(techniques, Qt::AscendingOrder);
        QCOMPARE(column(sorted, techniques),
            QStringList({"baseline", "split_ffn 2", "split_ffn 4", "split_ffn 8", "split_ffn 16"}));
    }

    void theFilterLetsThroughWhatItSays_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char* filter, const QStringList& expected) {
            QTest::newRow(filter) << QString::fromLatin1(filter) << expected;
        };
        row("", {"split_ffn 16", "split_ffn 2", "baseline", "split_ffn 8", "split_ffn 4"});
        row("MEASURED", {"split_ffn 8"});
        row("split_ffn predicted", {"split_ffn 16", "split_ffn 2", "split_ffn 4"});
        row("outcome:memory", {"baseline"});
        row("kind:meas", {"split_ffn 8"});
        row("reserved:9.0", {"split_ffn 16"});
        row("steps/s>1.25", {"split_ffn 16", "split_ffn 4"});
        row("steps/s>=1.25", {"split_ffn 16", "split_ffn 2", "split_ffn 4"});
        row("steps/s<1", {"split_ffn 8"});
        row("\"peak allocated\"<=9", {"split_ffn 16", "split_ffn 8"});
        row("allocated<7700MiB", {"split_ffn 8"});
        row("allocated>10 allocated<100", {"split_ffn 2"});
        row("\"split_ffn 1\"", {"split_ffn 16"});
        row("nothing:such", {});
        // What the axes' columns and the labels say can be asked for in any of these ways.
        row("split_ffn:8", {"split_ffn 8"});
        row("split:16", {"split_ffn 16"});
        row("baseline", {"baseline"});
        row("sim:t4", {"split_ffn 16", "split_ffn 2", "baseline", "split_ffn 4"});
        row("device:cpu", {"split_ffn 8"});
        row("techniques:\"split_ffn 4\"", {"split_ffn 4"});
        row("front:yes", {"split_ffn 16", "split_ffn 8", "split_ffn 4"});
    }

    void theFilterLetsThroughWhatItSays()
    {
        QFETCH(QString, filter);
        QFETCH(QStringList, expected);
        TrialsModel model;
        TrialsFilterModel filtered(model);
        const Tester tester(&filtered, kMode);
        model.setResults(five());
        filtered.setFilterText(filter);
        QCOMPARE(column(filtered, model.columnOf(QStringLiteral("techniques"))), expected);
        QVERIFY(filtered.complaint().isEmpty());
    }

    void aSettingThatBeginsLikeAColumnIsFound()
    {
        TrialsModel model;
        TrialsFilterModel filtered(model);
        model.setResults(sketchedResults({{}, {.splitFfn = "tokens:16"}, {.splitFfn = "tokens:8"}}));
        QVERIFY(model.columnOf(QStringLiteral("tokens/s")) >= 0);
        filtered.setFilterText(QStringLiteral("tokens:16"));
        QCOMPARE(filtered.rowCount(), 1);
        filtered.setFilterText(QStringLiteral("tokens:"));
        QCOMPARE(filtered.rowCount(), 2);
    }

    void eachAxisIsAColumnAndTheFrontIsMarked()
    {
        TrialsModel model;
        TrialsFilterModel filtered(model);
        model.setResults(five());
        QCOMPARE(model.columnOf(QStringLiteral("device")), 0);
        QCOMPARE(model.columnOf(QStringLiteral("split_ffn")), 1);
        QVERIFY(model.index(2, 1).data(TrialsModel::IsIdleRole).toBool());
        QVERIFY(!model.index(1, 1).data(TrialsModel::IsIdleRole).toBool());
        QVERIFY(model.index(1, 1).data(Qt::ToolTipRole).toString().contains(QStringLiteral("split_ffn 2")));
        QVERIFY(model.isLabel(model.columnOf(QStringLiteral("techniques"))));
        QVERIFY(model.isLabel(model.columnOf(QStringLiteral("case"))));
        for (const char* speed : {"steps/s", "samples/s", "tokens/s"})
            QVERIFY2(model.columnOf(QLatin1String(speed)) >= 0, speed);
        filtered.setOnlyFront(true);
        QCOMPARE(column(filtered, 1), QStringList({"16", "8", "4"}));
        filtered.setFilterText(QStringLiteral("cpu"));
        QCOMPARE(column(filtered, 1), QStringList({"8"}));
        filtered.setOnlyFront(false);
        filtered.setFilterText({});
        QCOMPARE(filtered.rowCount(), 5);
    }

    void aComparisonWithNoColumnOfNumbersIsSaid()
    {
        TrialsModel model;
        TrialsFilterModel filtered(model);
        model.setResults(five());
        filtered.setFilterText(QStringLiteral("speeed>2"));
        QVERIFY(filtered.complaint().contains(QStringLiteral("speeed>2")));
        QCOMPARE(filtered.rowCount(), 5);
        filtered.setFilterText(QStringLiteral("outcome>2"));
        QVERIFY(!filtered.complaint().isEmpty());
    }

    void ofTheSameTrialsOnlyWhatChangedIsAnnounced()
    {
        TrialsModel model;
        TrialsFilterModel sorted(model);
        const Tester tester(&model, kMode);
        const Tester sortedTester(&sorted, kMode);
        model.setResults(five(4));
        const int speed = model.columnOf(QStringLiteral("steps/s"));
        sorted.sort(speed, Qt::DescendingOrder);
        const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setResults(five(0.75));
        QCOMPARE(resets.count(), 0);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(changes.first().first().toModelIndex().row(), 4);
        QCOMPARE(column(sorted, speed), QStringList({"1.5000", "1.2500", "0.7500", "0.5000", "-"}));
        model.setResults(sketchedResults({{.splitFfn = "2"}}));
        QCOMPARE(resets.count(), 1);
        model.setResults(nullptr);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.columnCount(), 0);
    }

    void trialsAreFoundByTheirIds()
    {
        TrialsModel model;
        TrialsFilterModel sorted(model);
        model.setResults(five());
        sorted.sort(model.columnOf(QStringLiteral("peak allocated")), Qt::AscendingOrder);
        const QString first = sorted.trialId(0);
        QCOMPARE(model.rowOf(first), 3);
        QCOMPARE(sorted.indexOf(first).row(), 0);
        QCOMPARE(model.rowOf(QStringLiteral("no such trial")), -1);
        sorted.setFilterText(QStringLiteral("predicted"));
        QVERIFY(!sorted.indexOf(first).isValid());
    }
};

HEADROOM_UI_TEST(TrialsModelTest)

} // namespace headroom::ui

#include "TrialsModelTest.moc"
