// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/CompareTables.h"

#include "core/config/models/RecordingFamily.h"
#include "tests/ui/UiTest.h"

namespace headroom::ui {
namespace {

constexpr Bytes kHalf = kGiB / 2;

report::ReportTrial trialHolding(const std::string& techniques, std::vector<protocol::ModuleBytes> modules)
{
    report::ReportTrial trial;
    trial.techniques = techniques;
    trial.result.breakdown.emplace();
    trial.result.breakdown->phase = "backward";
    for (const protocol::ModuleBytes& module : modules)
        trial.result.breakdown->totalBytes += module.bytes;
    trial.result.breakdown->modules = std::move(modules);
    return trial;
}

protocol::ModuleBytes held(const std::string& path, const std::string& category, Bytes bytes)
{
    return {path, bytes, {{category, bytes}}};
}

} // namespace

class CompareTablesTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void twoTrialsHaveAmountsAndTheSignedDifference()
    {
        const CompareTable table = peakTable(namedTrials({&m_baseline, &m_checkpointed}));
        QCOMPARE(table.header.mid(1), (QStringList{"A", "B", "B\u2212A"}));
        QCOMPARE(table.rows[0].cells.mid(1), (QStringList{"5.000", "3.500", "-1.500"}));
        QCOMPARE(table.rows[1].cells.front(), QStringLiteral("Saved activations")); // differs most
        QCOMPARE(table.rows[1].cells.mid(1), (QStringList{"3.000", "1.000", "-2.000"}));
        QCOMPARE(table.rows[2].cells.mid(1), (QStringList{"0.000", "0.500", "+0.500"}));
        QCOMPARE(table.rows[3].cells.mid(1), (QStringList{"2.000", "2.000", "0.000"}));
    }

    void categoriesFoldIntoPartsThatSumToThem()
    {
        const CompareTable table = peakTable(namedTrials({&m_baseline, &m_checkpointed}));
        const CompareRow& saved = table.rows[1];
        QCOMPARE(saved.rows.size(), 2);
        QCOMPARE(saved.rows[0].cells, (QStringList{"transformer_blocks.*", "2.500", "0.500", "-2.000"}));
        QCOMPARE(saved.rows[1].cells, (QStringList{"proj_in", "0.500", "0.500", "0.000"}));
    }

    void aTrialThatRanOutOfMemoryHasWhatItHeldThen()
    {
        report::ReportTrial ended{};
        ended.techniques = "attention math";
        ended.result.outcome = Outcome::OutOfMemory;
        ended.result.memory.wholeRunPeak.allocated = 8 * kGiB;
        ended.result.memory.need.needed = 9 * kGiB;
        const ComparedTrials two = namedTrials({&m_baseline, &ended});
        const CompareTable table = peakTable(two);
        QCOMPARE(table.rows[0].cells.mid(1), (QStringList{"5.000", "\u2265 8.000", "\u2265 +3.000"}));
        QCOMPARE(table.rows[1].cells.mid(2), (QStringList{"-", "-"}));
        const QStringList sentences = peakSentences(two);
        QCOMPARE(sentences.size(), 1);
        QCOMPARE(sentences.front(),
            QStringLiteral("attention math held 8.00 GiB when it ran out of memory; it needs 9.00 GiB in all."));
        QCOMPARE(peakTable(namedTrials({&ended, &m_baseline})).rows[0].cells.mid(1),
            (QStringList{"\u2265 8.000", "5.000", "-"}));
    }

    void trialsOfSeveralExperimentsAreNamedAfterThemAlone()
    {
        report::ReportTrial one = m_baseline;
        report::ReportTrial other = m_baseline;
        one.source = report::TrialSource{1, "small", "a"};
        other.source = report::TrialSource{2, "large", "b"};
        other.planned.configuration.model = "another";
        QCOMPARE(namedTrials({&one, &other}).names, (QStringList{"baseline, small", "baseline, large"}));
    }

    void moreTrialsHaveDifferencesFromTheFirst()
    {
        const report::ReportTrial unknown{};
        const CompareTable table = peakTable(namedTrials({&m_baseline, &m_checkpointed, &unknown, &m_baseline}));
        QCOMPARE(table.header.mid(1), (QStringList{"A", "B\u2212A", "C\u2212A", "D\u2212A"}));
        QCOMPARE(table.rows[0].cells.mid(1), (QStringList{"5.000", "-1.500", "-", "0.000"}));
    }

    void sentencesOfTwoHaveNamesAndOfMoreLetters()
    {
        const QStringList two = peakSentences(namedTrials({&m_baseline, &m_checkpointed}));
        QCOMPARE(two.size(), 1);
        QVERIFY2(two.front().startsWith(QStringLiteral("baseline peaks 1.50 GiB above checkpointing all")),
            qPrintable(two.front()));
        const QStringList three = peakSentences(namedTrials({&m_baseline, &m_checkpointed, &m_checkpointed}));
        QCOMPARE(three.size(), 2);
        QVERIFY2(three.back().startsWith(QStringLiteral("A peaks 1.50 GiB above C")), qPrintable(three.back()));
    }

    void withoutBreakdownsThereIsNoTable()
    {
        const report::ReportTrial unknown{};
        QVERIFY(peakTable(namedTrials({&unknown, &unknown})).rows.isEmpty());
        QVERIFY(peakSentences(namedTrials({&unknown, &m_baseline})).isEmpty());
    }

    void whatOnlyTracesTellIsComparedByCategoryAndByLine()
    {
        const report::ReportTrial recording{};
        ComparedTrials compared = namedTrials({&recording, &recording});
        compared.traced = {traced(3 * kGiB, 2 * kGiB, "{}"), traced(kGiB, 2 * kGiB + kHalf, "{}")};
        const CompareTable table = peakTable(compared);
        QCOMPARE(table.rows[0].cells.mid(1), (QStringList{"5.000", "3.500", "-1.500"}));
        QCOMPARE(table.rows[1].cells, (QStringList{"Unknown", "3.000", "1.000", "-2.000"}));
        QCOMPARE(table.rows[2].cells, (QStringList{"Weights", "2.000", "2.500", "+0.500"}));
        const CompareRow& lines = table.rows[3];
        QCOMPARE(lines.cells.front(), QStringLiteral("By line"));
        QCOMPARE(lines.rows.size(), 2);
        QCOMPARE(lines.rows[0].cells, (QStringList{"train.py:12 forward", "3.000", "1.000", "-2.000"}));
        QCOMPARE(lines.rows[1].cells, (QStringList{"no call stack", "2.000", "2.500", "+0.500"}));
        QVERIFY(!peakSentences(compared).isEmpty());
    }

    void factsOfTheMachinesThatDifferAreListed()
    {
        report::ReportTrial recording{};
        recording.planned.configuration = config::defaultConfiguration(config::kRecordingModel, "model.name");
        ComparedTrials compared = namedTrials({&recording, &recording});
        compared.traced = {traced(kGiB, 0, R"({"host": "one", "kernel": "6.1"})"),
            traced(kGiB, 0, R"({"host": "two", "kernel": "6.1"})")};
        const CompareTable differing = settingsTable(compared);
        QCOMPARE(differing.rows.size(), 1);
        QCOMPARE(differing.rows[0].cells.mid(1), (QStringList{"one", "two"}));
        compared.traced[1] = traced(kGiB, 0, "{}");
        QCOMPARE(settingsTable(compared).rows[0].cells.mid(1), (QStringList{"one", "-"}));
    }

private:
    static TimelineSummary traced(Bytes unknown, Bytes weights, const std::string& environment)
    {
        auto trees = std::make_shared<PeakTrees>();
        trees->profile = {.totalBytes = unknown + weights, .phase = {}, .shares = {}, .phases = {}};
        trees->profile.shares.push_back({config::MemoryCategory::Weights, "", weights});
        trees->profile.shares.push_back({config::MemoryCategory::Unknown, "", unknown});
        trees->frames = {{"train.py:12 forward", unknown}, {"", weights}};
        TimelineSummary summary;
        summary.peak.trees = std::move(trees);
        summary.environmentJson = environment;
        return summary;
    }

    const report::ReportTrial m_baseline = trialHolding("baseline",
        {held("proj_in", "saved_activations", kHalf), held("transformer_blocks.0.ff", "saved_activations", 2 * kGiB),
            held("transformer_blocks.1.ff", "saved_activations", kHalf), held("", "weights", 2 * kGiB)});
    const report::ReportTrial m_checkpointed = trialHolding("checkpointing all",
        {held("proj_in", "saved_activations", kHalf), held("transformer_blocks.0.ff", "saved_activations", kHalf),
            held("transformer_blocks.1.ff", "recomputed_activations", kHalf), held("", "weights", 2 * kGiB)});
};

HEADROOM_UI_TEST(CompareTablesTest)

} // namespace headroom::ui

#include "CompareTablesTest.moc"
