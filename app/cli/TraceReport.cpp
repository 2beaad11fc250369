// SPDX-License-Identifier: Apache-2.0
#include "app/cli/TraceReport.h"

#include "app/cli/TraceDocument.h"
#include "app/cli/TraceTable.h"
#include "experiments/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headroom::cli {

using experiments::readable;

namespace {

// What the import and the collectors call it when something of a trace is not there.
constexpr std::array<std::string_view, 5> kLosses{
    "malformed_block", "unfinished_spool", "unreadable_spool", "damaged_spool", "dropped_records"};

std::string exactly(Bytes bytes)
{
    return fmt::format("{} ({} bytes)", readable(bytes), bytes);
}

std::string atTime(std::int64_t timeNs)
{
    return fmt::format("{:.6f} s into the trace", static_cast<double>(timeNs) / 1e9);
}

std::string deviceLine(const TraceSubject& subject)
{
    const std::string on = subject.trial.device + (subject.trial.runtime ? "@" + *subject.trial.runtime : "");
    return subject.trial.predicted ? "Predicted: simulated on " + on + ", not measured." : "Measured on " + on + ".";
}

std::string peakLine(const TraceFindings& findings)
{
    const report::TraceAnswer& answer = findings.answer;
    std::string line =
        fmt::format("Peak of allocated memory: {}{}, {}, {}.", findings.isLowerBound() ? "at least " : "",
            exactly(answer.peak.bytes), phaseInWords(answer.peakPhase), atTime(answer.peak.timeNs));
    if (answer.reservedPeak)
        line += fmt::format("\nPeak of reserved memory: {}, {}, {}.", exactly(answer.reservedPeak->bytes),
            phaseInWords(answer.reservedPeakPhase), atTime(answer.reservedPeak->timeNs));
    return line;
}

std::string instantLine(const report::TraceAnswer& answer)
{
    if (answer.isAtPeak())
        return "";
    return fmt::format("\nLooked into here: {} allocated, {}, {}.", exactly(answer.holdings.counters.allocated),
        phaseInWords(answer.phase), atTime(answer.timeNs));
}

std::string header(const TraceFindings& findings)
{
    const TraceSubject& subject = findings.subject;
    return fmt::format("{}\nTrial {} of experiment {} ({}), repeat {}.\n{}{}", deviceLine(subject),
        subject.trial.trialId, subject.experiment.name, subject.experiment.id, subject.repeat.repeatIndex,
        peakLine(findings), instantLine(findings.answer));
}

std::string treeTitle(trace::Grouping grouping)
{
    switch (grouping) {
    case trace::Grouping::Module:
        return "Held by modules";
    case trace::Grouping::Category:
        return "Held by categories and their modules";
    case trace::Grouping::Technique:
        return "Held by techniques and their modules";
    case trace::Grouping::Phase:
        return "Held since the phase of its allocation, by modules";
    }
    return {};
}

std::string leakLines(const protocol::RepeatResult& result)
{
    if (!result.breakdown)
        return "";
    std::string lines;
    for (const protocol::MemoryLeak& leak : result.breakdown->leaks)
        lines += fmt::format("{}{}: {} more after every step", lines.empty() ? "" : "\n",
            experiments::inWords(leak.category), exactly(leak.bytesPerStep));
    return lines.empty() ? "Nothing grows from step to step." : lines;
}

std::string diagnosticLines(const std::vector<store::DiagnosticRow>& diagnostics)
{
    std::string lines;
    for (const store::DiagnosticRow& row : diagnostics)
        lines += fmt::format("{}{}: {}{}", lines.empty() ? "" : "\n", store::toText(row.severity), row.message,
            row.count > 1 ? fmt::format(" ({} times)", row.count) : "");
    return lines;
}

void addRemarks(const TraceFindings& findings, Report& report)
{
    if (const std::string leaks = leakLines(findings.result); !leaks.empty())
        report.sections.push_back({"Leaks", leaks, {}, ""});
    if (const std::string lines = diagnosticLines(findings.diagnostics); !lines.empty())
        report.sections.push_back({"Remarks on the trace", lines, {}, ""});
}

} // namespace

bool TraceFindings::isLowerBound() const
{
    return std::ranges::any_of(diagnostics,
        [](const store::DiagnosticRow& row) { return std::ranges::find(kLosses, row.kind) != kLosses.end(); });
}

Report traceReport(const TraceFindings& findings, const TreeView& view)
{
    const report::TraceAnswer& answer = findings.answer;
    const trace::MemoryNode tree = trace::memoryTree(answer.holdings, answer.owners, view.grouping);
    Report report;
    report.sections.push_back({findings.subject.trial.label, header(findings), {}, ""});
    report.sections.push_back({"What it consisted of", "", categoryTable(answer.categories), ""});
    report.sections.push_back({treeTitle(view.grouping), "", treeTable(tree, view.grouping, view.depth), ""});
    report.sections.push_back({"Peak of each phase, the largest of its steps", "", phaseTable(answer), ""});
    addRemarks(findings, report);
    report.document = traceDocument(findings, view);
    report.records = treeRecords(findings, view);
    return report;
}

} // namespace headroom::cli
