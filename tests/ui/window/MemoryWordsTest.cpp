// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/JUnitReport.h"
#include "app/cli/run/ResultsReport.h"
#include "core/base/Quantities.h"
#include "core/config/Installation.h"
#include "experiments/figures/TrialTerms.h"
#include "experiments/report/TrialTable.h"
#include "experiments/report/effects/EffectGrid.h"
#include "experiments/report/formats/MarkdownReport.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/results/Shortage.h"
#include "experiments/run/RepeatExecutor.h"
#include "experiments/spec/SpecLoader.h"
#include "tests/ui/UiTest.h"
#include "ui/answer/LiveAnswer.h"
#include "ui/runs/QueueText.h"
#include "ui/runs/RunFeed.h"

#include <fmt/format.h>

#include <QSignalSpy>

namespace headroom::ui {
namespace {

constexpr int kWordPatience = 60'000; ///< milliseconds

experiments::PlannedTrial ltxTrial(int batch, const std::string& limit)
{
    const auto spec = fmt::format(R"(
[model]
name = "ltx-video-2b"
[workload]
step = "train"
dtype = "bfloat16"
batch = {}
frames = 81
height = 512
width = 768
text_tokens = 128
[techniques]
checkpointing = "none"
[device]
name = "sim:rtx4090"
{}
)",
        batch, limit);
    return experiments::expand(experiments::loadSpecText(spec, "spec.toml", {})).front();
}

/// Everything that says how much memory one trial takes.
struct Told {
    experiments::TrialResult result;
    QString answer; ///< the live one's
    std::string tableCell; ///< of the command line
    std::string tableRemark;
    std::string reportCell;
    std::string markdown;
    QString queueCell;
    QString queueReason;
    std::string junit;
    QStringList tableTitles; ///< in small letters
    QStringList reportTitles;
    std::string tableSpeed;
    std::string reportSpeed;
};

QString liveAnswerTo(const experiments::PlannedTrial& planned)
{
    Theme theme;
    Predictor predictor;
    LiveAnswer view(theme, predictor);
    QSignalSpy answered(&view, &LiveAnswer::answered);
    view.setTrials(std::make_shared<const std::vector<experiments::PlannedTrial>>(1, planned));
    return answered.wait(kWordPatience) ? view.findChild<QLabel*>(QStringLiteral("answerVerdict"))->text() : QString();
}

std::string cellUnder(const cli::Table& table, const std::string& title)
{
    for (std::size_t i = 0; i < table.columns().size(); ++i)
        if (table.columns()[i].title == title)
            return table.rows().front()[i];
    return "no column";
}

std::string cellUnder(const report::ReportTable& table, const std::string& title)
{
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].title == title)
            return table.rows.front().cells[i].text;
    return "no column";
}

void askQueue(Told& told, const experiments::PlannedTrial& planned)
{
    auto request = std::make_shared<RunRequest>();
    request->trials = {planned};
    RunFeed feed(request, [] { });
    feed.trialFinished(planned, told.result);
    const TrialProgress progress = feed.take().trials.front();
    told.queueCell = peakText(progress);
    told.queueReason = reasonText(progress);
}

void askReport(Told& told, const experiments::PlannedTrial& planned)
{
    report::ReportContent content;
    content.trials.push_back({told.result, planned.trial, 1, 1, "baseline"});
    const report::Comparison comparison(content.trials);
    const report::ReportTable table = report::trialTable(content, comparison);
    for (const auto& column : table.columns)
        told.reportTitles.append(QString::fromStdString(column.title).toLower());
    told.reportCell = cellUnder(table, "needs (GiB)");
    told.reportSpeed = cellUnder(table, speedUnitName(SpeedUnit::Steps));
    told.markdown = report::markdownReport(content, comparison);
}

void askCommandLine(Told& told)
{
    cli::FinishedRun run;
    run.results.experiment = "words";
    run.results.environment = {{"headroom_version", "1"}};
    run.results.trials = {told.result};
    const cli::Table table = cli::resultsReport(run.results).sections.front().table;
    told.tableCell = cellUnder(table, "needs (GiB)");
    told.tableRemark = cellUnder(table, "remark");
    for (const auto& column : table.columns())
        told.tableTitles.append(QString::fromStdString(column.title).toLower());
    told.tableSpeed = cellUnder(table, speedUnitName(SpeedUnit::Steps));
    told.junit = cli::junitXml(run);
}

Told toldOf(const experiments::PlannedTrial& planned)
{
    experiments::RepeatExecutor executor(config::workerProgram(), {});
    Told told;
    told.result = experiments::trialResult("words", planned, {executor.carryOut(planned, 0, {}, {}, {})});
    told.answer = liveAnswerTo(planned);
    askCommandLine(told);
    askReport(told, planned);
    askQueue(told, planned);
    return told;
}

} // namespace

/// One trial, one number, one word: wherever somebody reads how much memory it takes.
class MemoryWordsTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void aTrialThatFitsNeedsTheSameEverywhere()
    {
        const Told told = toldOf(ltxTrial(1, ""));
        QCOMPARE(told.result.outcome, Outcome::Completed);
        const auto needed = told.result.memory.need.needed.value();
        const std::string amount = sizeText(needed);
        const std::string number = amount.substr(0, amount.find(' '));
        QVERIFY2(amount.ends_with(" GiB"), amount.c_str());
        QCOMPARE(told.tableCell, number);
        QCOMPARE(told.reportCell, number);
        QCOMPARE(told.queueCell, QString::fromStdString("needs " + amount));
        const QString beginning = QString::fromStdString("Fits: needs " + number + " of ");
        QVERIFY2(told.answer.startsWith(beginning), qPrintable(told.answer));
        QVERIFY(told.junit.find(fmt::format(R"(name="memory.needed_bytes" value="{}")", needed)) != std::string::npos);
    }

    // Tables, plots and effects: what is read in one place is looked for in another.
    void aPeakAndASpeedHaveOneNameEverywhere()
    {
        const auto in = [](const std::string& title) { return QString::fromStdString(title).toLower(); };
        const std::pair<figures::MemoryKind, report::EffectPeak> kinds[] = {
            {figures::MemoryKind::Allocated, report::EffectPeak::Allocated},
            {figures::MemoryKind::Reserved, report::EffectPeak::Reserved},
            {figures::MemoryKind::Needed, report::EffectPeak::Needed}};
        for (const auto& [kind, peak] : kinds)
            QCOMPARE(in(figures::peakTitle(kind)), in(titleOf(peak)));
        const Told told = toldOf(ltxTrial(1, ""));
        for (const auto kind : {figures::MemoryKind::Allocated, figures::MemoryKind::Reserved}) {
            const QString title = in(figures::peakTitle(kind)) + QStringLiteral(" (gib)");
            QVERIFY2(told.tableTitles.contains(title), qPrintable(told.tableTitles.join(QStringLiteral(", "))));
            QVERIFY2(told.reportTitles.contains(title), qPrintable(told.reportTitles.join(QStringLiteral(", "))));
        }
        const QString speed = QString::fromStdString(speedUnitName(SpeedUnit::Steps));
        QVERIFY(told.tableTitles.contains(speed));
        QVERIFY(told.reportTitles.contains(speed));
        QCOMPARE(told.tableSpeed, told.reportSpeed);
    }

    void aTrialThatDoesNotFitSaysTheSameSentenceEverywhere_data()
    {
        QTest::addColumn<int>("batch");
        QTest::addColumn<QString>("limit");
        QTest::newRow("the card's memory") << 2 << QString();
        QTest::newRow("a memory limit") << 1 << QStringLiteral("memory_limit_bytes = 8589934592");
    }

    void aTrialThatDoesNotFitSaysTheSameSentenceEverywhere()
    {
        QFETCH(int, batch);
        QFETCH(QString, limit);
        const Told told = toldOf(ltxTrial(batch, limit.toStdString()));
        QCOMPARE(told.result.outcome, Outcome::OutOfMemory);
        const std::string amount = sizeText(told.result.memory.need.needed.value());
        const std::string sentence = experiments::shortageText(told.result);
        QVERIFY2(sentence.starts_with("needs " + amount + ", "), sentence.c_str());
        QCOMPARE(told.tableRemark, sentence);
        QCOMPARE(told.tableCell, amount.substr(0, amount.find(' ')));
        QCOMPARE(told.reportCell, told.tableCell);
        QCOMPARE(told.queueReason, QString::fromStdString(sentence));
        QCOMPARE(told.queueCell, QString::fromStdString("needs " + amount));
        QCOMPARE(told.answer, QString::fromStdString("Does not fit: " + sentence));
        QVERIFY(told.junit.find(sentence) != std::string::npos);
        QVERIFY(told.markdown.find(sentence) != std::string::npos);
    }
};

HEADROOM_UI_TEST(MemoryWordsTest)

} // namespace headroom::ui

#include "MemoryWordsTest.moc"
