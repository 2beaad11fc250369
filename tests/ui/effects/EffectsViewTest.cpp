// SPDX-License-Identifier: Apache-2.0
#include "ui/effects/EffectsView.h"

#include "core/base/Quantities.h"
#include "experiments/report/effects/EffectSentences.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/spec/SpecLoader.h"
#include "tests/ui/UiTest.h"
#include "ui/plot/ChoiceField.h"
#include "ui/plot/FigurePlot.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>

namespace headroom::ui {
namespace {

struct EffectSketch {
    std::string casting;
    std::string checkpointing;
    double peakGib = 1;
    double seconds = 1;
};

report::ReportTrial effectTrial(const EffectSketch& sketch)
{
    const std::string toml =
        "model.name = \"ltx-video-tiny\"\nworkload.step = \"train\"\ntechniques.trainable = \"lora:4\"\n"
        "techniques.casting = \""
        + sketch.casting + "\"\ntechniques.checkpointing = \"" + sketch.checkpointing
        + "\"\ndevice.name = \"sim:t4\"\n";
    const auto planned = experiments::expand(experiments::loadSpecText(toml, "sketch.toml", {})).front();
    protocol::RepeatResult result;
    result.outcome = Outcome::Completed;
    result.memory.peak.allocated = static_cast<Bytes>(sketch.peakGib * double(kGiB));
    result.memory.peak.reserved = 2 * *result.memory.peak.allocated;
    result.stepSeconds.assign(5, sketch.seconds);
    const auto fits = [](const auto&, const auto&) { return std::optional(true); };
    return {experiments::trialResult("sketch", planned, {result}, fits), planned.trial, 1, 1,
        config::techniqueLabel(planned.trial.configuration)};
}

Results resultsOf(const std::vector<EffectSketch>& sketches)
{
    report::ReportContent content;
    content.number = 1;
    content.experiment = "sketch";
    for (const EffectSketch& sketch : sketches)
        content.trials.push_back(effectTrial(sketch));
    return std::make_shared<const ResultSet>("sketch.db", std::move(content));
}

// Casting adds a quarter by itself and saves two with checkpointing.
Results fourCells()
{
    return resultsOf(
        {{"off", "none", 8, 1.0}, {"e4m3", "none", 8.25, 1.1}, {"off", "all", 5, 1.3}, {"e4m3", "all", 3, 1.5}});
}

} // namespace

class EffectsViewTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_view = std::make_unique<EffectsView>(m_theme);
        m_view->resize(900, 700);
        m_view->show();
    }

    void cleanup() { m_view.reset(); }

    void withoutATechniqueThatVariesItSaysWhatWouldShowSomething()
    {
        QVERIFY(text().contains(QStringLiteral("Run a sweep over two techniques")));
        show(resultsOf({{"off", "none", 8, 1}}));
        QVERIFY(text().contains(QStringLiteral("differ in techniques alone")));
        QVERIFY(m_view->picture() == nullptr);
        QVERIFY(!m_view->tabs().isVisible());
    }

    // By hand: casting (0.25 - 2) / 2, checkpointing (-3 - 5.25) / 2, together 3 - 5 - 8.25 + 8 = -2.25 GiB.
    void tablesHaveTheEffectsThatTheCellsGive()
    {
        show(fourCells());
        const auto cell = [](QTableView& table, int row, int column) {
            return table.model()->index(row, column).data().toString();
        };
        QCOMPARE(m_view->mainTable().model()->rowCount(), 2);
        QCOMPARE(cell(m_view->mainTable(), 0, 0), QStringLiteral("casting e4m3"));
        QCOMPARE(cell(m_view->mainTable(), 0, 2), QStringLiteral("+0.250"));
        QCOMPARE(cell(m_view->mainTable(), 0, 3), QStringLiteral("-0.875"));
        QCOMPARE(cell(m_view->mainTable(), 1, 3), QStringLiteral("-4.125"));
        QCOMPARE(m_view->pairTable().model()->rowCount(), 1);
        QCOMPARE(cell(m_view->pairTable(), 0, 4), QStringLiteral("-2.250"));
        QCOMPARE(cell(m_view->pairTable(), 0, 5), QStringLiteral("-28.1 %"));
    }

    // What the interaction is stands there by itself: the strongest pair is selected.
    void theStrongestPairIsExplainedAtOnce()
    {
        show(fourCells());
        QCOMPARE(m_view->tabs().currentWidget(), &m_view->pairTable());
        const report::Comparison& comparison = m_results->comparison();
        const auto grids = report::effectGrids(comparison);
        const report::Effects effects = report::effectsOf(grids.at(0), report::EffectPeak::Allocated);
        QCOMPARE(m_view->sentence().toStdString(), report::sentenceFor(effects.interactions.at(0)));
        QVERIFY2(m_view->sentence().contains(QStringLiteral("casting e4m3 saves nothing without checkpointing all")),
            qPrintable(m_view->sentence()));
        m_view->tabs().setCurrentIndex(0);
        QVERIFY2(
            m_view->sentence().startsWith(QStringLiteral("casting e4m3 instead of off saves 0.875 GiB of the peak")),
            qPrintable(m_view->sentence()));
        QTest::keyClick(&m_view->mainTable(), Qt::Key_Down);
        QVERIFY(m_view->sentence().startsWith(QStringLiteral("checkpointing all instead of none saves 4.12 GiB")));
    }

    // Trials come in one after another: of the first two there is no pair yet.
    void aPairThatComesInIsExplainedToo()
    {
        show(resultsOf({{"off", "none", 8, 1.0}, {"e4m3", "none", 8.25, 1.1}}));
        QCOMPARE(m_view->tabs().currentIndex(), 0);
        show(fourCells());
        QCOMPARE(m_view->tabs().currentWidget(), &m_view->pairTable());
        m_view->tabs().setCurrentIndex(0);
        show(fourCells());
        QCOMPARE(m_view->tabs().currentIndex(), 0);
    }

    void thePictureIsBarsOrTheLinesOfAPair()
    {
        show(fourCells());
        QCOMPARE(m_view->plot().figure()->kind, std::string("effects"));
        QCOMPARE(m_view->plot().figure()->rowTexts.size(), 3U);
        auto* picture = m_view->findChild<ChoiceField*>(QStringLiteral("effectsPicture"));
        QCOMPARE(picture->count(), 3);
        choose(picture, 1);
        QVERIFY(
            QString::fromStdString(m_view->plot().figure()->x.label).startsWith(QStringLiteral("Change of the step")));
        choose(picture, 2);
        QCOMPARE(m_view->plot().figure()->kind, std::string("interaction"));
        QCOMPARE(m_view->plot().figure()->marks.size(), 4U);
    }

    void thePeakCanBeChosen()
    {
        show(fourCells());
        auto* peak = m_view->findChild<ChoiceField*>(QStringLiteral("effectsPeak"));
        QSignalSpy shown(m_view.get(), &EffectsView::shown);
        choose(peak, peak->findData(QStringLiteral("reserved")));
        QVERIFY(shown.wait());
        QCOMPARE(m_view->picture()->peak(), report::EffectPeak::Reserved);
        QCOMPARE(m_view->pairTable().model()->index(0, 4).data().toString(), QStringLiteral("-4.500"));
    }

    void aCellThatIsMissingIsNamed()
    {
        show(resultsOf({{"off", "none", 8, 1.0}, {"e4m3", "none", 8.25, 1.1}, {"off", "all", 5, 1.3}}));
        const auto* cautions = m_view->findChild<QLabel*>(QStringLiteral("effectsCautions"));
        QVERIFY2(cautions->isVisible() && cautions->text().contains(QStringLiteral("casting e4m3, checkpointing all")),
            qPrintable(cautions->text()));
    }

    void resultsThatComeTooLateAreNotShown()
    {
        m_view->setResults(fourCells());
        m_view->setResults(nullptr);
        QSignalSpy shown(m_view.get(), &EffectsView::shown);
        QVERIFY(!shown.wait(1'000));
        QVERIFY(m_view->picture() == nullptr);
    }

private:
    void show(const Results& results)
    {
        m_results = results;
        QSignalSpy shown(m_view.get(), &EffectsView::shown);
        m_view->setResults(results);
        QVERIFY(shown.wait());
    }

    static void choose(ChoiceField* field, int index)
    {
        field->setCurrentIndex(index);
        Q_EMIT field->activated(index);
    }

    QString text() { return QString::fromStdString(m_view->plot().figure()->emptyText); }

    Theme m_theme;
    Results m_results;
    std::unique_ptr<EffectsView> m_view;
};

HEADROOM_UI_TEST(EffectsViewTest)

} // namespace headroom::ui

#include "EffectsViewTest.moc"
