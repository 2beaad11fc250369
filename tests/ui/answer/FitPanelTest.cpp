// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/FitPanel.h"

#include "experiments/spec/SpecEditor.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/answer/Plans.h"
#include "ui/answer/PredictionEngine.h"

#include <QRegularExpression>
#include <QSignalSpy>

namespace headroom::ui {
namespace {

constexpr int kFitPatience = 120'000; ///< milliseconds

QString messageOf(const FitPanel& panel)
{
    return panel.findChild<QLabel*>(QStringLiteral("fitMessage"))->text();
}

} // namespace

// With the real worker: LTX-Video with two videos needs more than 24 GiB.
class FitPanelTest : public UiTest {
    Q_OBJECT

private:
    void search(FitPanel& panel, const config::Trial& trial)
    {
        PredictionEngine engine;
        panel.search(*engine.predict(trial, {}));
    }

private Q_SLOTS:
    void listsChangesThatFitAndAppliesOneByEnter()
    {
        QWidget window;
        FitPanel panel(&window);
        window.show();
        const config::Trial trial = ltxPlan("\"none\"", "sim:rtx4090", 2).front().trial;
        search(panel, trial);
        QVERIFY(panel.isSearching());
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kFitPatience);
        QVERIFY(panel.model().rowCount() > 0);
        QVERIFY2(messageOf(panel).contains(QStringLiteral(" predicted to fit, the simplest first")),
            qPrintable(messageOf(panel)));
        PredictionEngine engine;
        for (int row = 0; row < panel.model().rowCount(); ++row) {
            const Answer answer = engine.predict(panel.model().change(row).trial, {});
            QCOMPARE(answer->verdict.kind, experiments::FitVerdict::Kind::Fits);
            QCOMPARE(answer->verdict.reservedBytes, std::optional(panel.model().change(row).peakBytes));
        }
        QSignalSpy chosen(&panel, &FitPanel::changeChosen);
        auto* table = panel.findChild<QTableView*>(QStringLiteral("fitTable"));
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        const auto values = chosen.front().front().value<SettingValues>();
        QCOMPARE(values.front(), std::pair(QStringLiteral("techniques.checkpointing"), QStringLiteral("\"all\"")));
        experiments::SpecEditor editor("model.name = \"ltx-video-2b\"\n", "spec");
        for (const auto& [path, value] : values)
            editor.set(path.toStdString(), value.toStdString());
        QCOMPARE(editor.valueText("techniques.checkpointing"),
            std::optional("\"" + panel.model().change(0).changes.front().after + "\""));
        QVERIFY(!panel.isVisible());
    }

    // The first stands there, and can be taken, while others are looked for.
    void whatIsFoundStandsThereWhileTheSearchGoesOn()
    {
        QWidget window;
        FitPanel panel(&window);
        window.show();
        search(panel, ltxPlan("\"none\"", "sim:rtx4090", 2).front().trial);
        auto* progress = panel.findChild<QProgressBar*>(QStringLiteral("fitProgress"));
        QTRY_VERIFY_WITH_TIMEOUT(panel.model().rowCount() > 0, kFitPatience);
        QVERIFY(panel.isSearching());
        QVERIFY(progress->maximum() > progress->value());
        static const QRegularExpression kDone(QStringLiteral("\\d+ of about \\d+ combinations predicted, \\d+ found"));
        QVERIFY2(messageOf(panel).contains(kDone), qPrintable(messageOf(panel)));
        QVERIFY(panel.findChild<QPushButton*>(QStringLiteral("fitEnd"))->text().contains(QStringLiteral("Cancel")));
        QSignalSpy chosen(&panel, &FitPanel::changeChosen);
        QTest::keyClick(panel.findChild<QTableView*>(QStringLiteral("fitTable")), Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        QVERIFY(!panel.isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kFitPatience);
    }

    void cancelledItSaysThatThereMayBeMore()
    {
        QWidget window;
        FitPanel panel(&window);
        window.show();
        search(panel, ltxPlan("\"none\"", "sim:rtx4090", 2).front().trial);
        QTRY_VERIFY_WITH_TIMEOUT(panel.model().rowCount() > 0, kFitPatience);
        QTest::mouseClick(panel.findChild<QPushButton*>(QStringLiteral("fitEnd")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kFitPatience);
        QVERIFY2(messageOf(panel).startsWith(QStringLiteral("Cancelled, search incomplete: ")),
            qPrintable(messageOf(panel)));
        QVERIFY(panel.model().rowCount() > 0);
    }

    void saysWhatWasTriedWhereNothingFits()
    {
        QWidget window;
        FitPanel panel(&window);
        window.show();
        config::Trial trial = ltxPlan("\"none\"").front().trial;
        trial.memoryLimitBytes = 2 * kGiB; // less than the weights
        search(panel, trial);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kFitPatience);
        QCOMPARE(panel.model().rowCount(), 0);
        QVERIFY2(
            messageOf(panel).startsWith(QStringLiteral("Nothing found that fits in ")), qPrintable(messageOf(panel)));
        QVERIFY(messageOf(panel).contains(QStringLiteral("checkpointing all")));
        QVERIFY(messageOf(panel).contains(QStringLiteral("split_ffn")));
    }

    void canBeCancelled()
    {
        QWidget window;
        FitPanel panel(&window);
        window.show();
        search(panel, ltxPlan("\"none\"", "sim:t4", 64).front().trial);
        QTest::mouseClick(panel.findChild<QPushButton*>(QStringLiteral("fitEnd")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kFitPatience);
        QVERIFY2(messageOf(panel).startsWith(QStringLiteral("Cancelled, search incomplete: nothing found so far")),
            qPrintable(messageOf(panel)));
        QTest::mouseClick(panel.findChild<QPushButton*>(QStringLiteral("fitEnd")), Qt::LeftButton);
        QVERIFY(!panel.isVisible());
    }
};

HEADROOM_UI_TEST(FitPanelTest)

} // namespace headroom::ui

#include "FitPanelTest.moc"
