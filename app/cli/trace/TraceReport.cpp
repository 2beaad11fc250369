// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/TraceReport.h"

#include "app/cli/trace/TraceDocument.h"
#include "app/cli/trace/TraceExplanations.h"
#include "app/cli/trace/TraceSections.h"
#include "app/cli/trace/TraceTable.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/DeviceSpec.h"

#include <fmt/format.h>

namespace headroom::cli {

namespace {

std::string exactly(Bytes bytes)
{
    return fmt::format("{} ({})", sizeText(bytes), exactSizeText(bytes));
}

std::string deviceLine(const TraceSubject& subject)
{
    const std::string on = subject.trial.device + (subject.trial.runtime ? "@" + *subject.trial.runtime : "");
    switch (config::provenanceOf(subject.trial.device, subject.trial.predicted)) {
    case config::Provenance::Predicted:
        return "Predicted: simulated on " + on + ", not measured.";
    case config::Provenance::Rehearsed:
        return "Rehearsed on " + on + ", a card that is not there: memory of PyTorch's allocator, times of a model.";
    case config::Provenance::Measured:
        break;
    }
    return "Measured on " + on + ".";
}

std::string peakLine(const TraceFindings& findings)
{
    const report::TraceAnswer& answer = findings.answer;
    std::string line =
        fmt::format("Peak of allocated memory: {}{}, {}, {}.", findings.isLowerBound() ? "at least " : "",
            exactly(answer.peak.bytes), phaseInWords(answer.peakPhase), intoTheTrace(answer.peak.timeNs));
    if (answer.reservedPeak)
        line += fmt::format("\nPeak of reserved memory: {}, {}, {}.", exactly(answer.reservedPeak->bytes),
            phaseInWords(answer.reservedPeakPhase), intoTheTrace(answer.reservedPeak->timeNs));
    return line;
}

std::string instantLine(const report::TraceAnswer& answer)
{
    if (answer.isAtPeak())
        return "";
    return fmt::format("\nShown here: {} allocated, {}, {}.", exactly(answer.holdings.counters.allocated),
        phaseInWords(answer.phase), intoTheTrace(answer.timeNs));
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
    case trace::Grouping::Source:
        return "Held by lines of the model's source and their modules";
    case trace::Grouping::Frame:
        return "Held by the calls that allocated it, the outermost first";
    case trace::Grouping::Size:
        return "Held in blocks of a size";
    case trace::Grouping::Stream:
        return "Held in blocks of a stream, by categories";
    }
    return {};
}

// In an out-of-memory event, the address field holds the bytes that the device had left.
std::string failureLines(const report::TraceAnswer& answer)
{
    std::string lines;
    for (const trace::AllocatorEvent& event : answer.outOfMemory)
        lines += fmt::format("{}{} asked for, {} left on the device, {}", lines.empty() ? "" : "\n",
            exactly(event.bytes), sizeText(static_cast<Bytes>(event.address)), intoTheTrace(event.timeNs));
    return lines;
}

std::string leakLines(const protocol::RepeatResult& result)
{
    if (!result.breakdown)
        return "";
    std::string lines;
    for (const protocol::MemoryLeak& leak : result.breakdown->leaks)
        lines += fmt::format("{}{}: {} more after every step", lines.empty() ? "" : "\n", inWords(leak.category),
            exactly(leak.bytesPerStep));
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
    if (const std::string failures = failureLines(findings.answer); !failures.empty())
        report.sections.push_back({"Out of memory", failures, {}, ""});
    if (const std::string leaks = leakLines(findings.result); !leaks.empty())
        report.sections.push_back({"Leaks", leaks, {}, ""});
    if (const std::string lines = diagnosticLines(findings.diagnostics); !lines.empty())
        report.sections.push_back({"Remarks on the trace", lines, {}, ""});
}

} // namespace

Report traceReport(const TraceFindings& findings, const TreeView& view)
{
    const report::TraceAnswer& answer = findings.answer;
    const trace::MemoryNode tree = treeOf(findings, view.grouping);
    Report report;
    report.sections.push_back({findings.subject.trial.label, header(findings), {}, ""});
    report.sections.push_back({"What it consisted of", "", categoryTable(answer.categories), ""});
    report.sections.push_back({treeTitle(view.grouping), "", treeTable(tree, view.grouping, view.depth), ""});
    if (!answer.phases.empty())
        report.sections.push_back({"Peak of each phase, the largest of its steps", "", phaseTable(answer), ""});
    for (Section& section : comparisonSections(findings))
        report.sections.push_back(std::move(section));
    if (!findings.techniques.empty())
        report.sections.push_back(techniqueSection(findings));
    report.sections.push_back(unusedSection(answer));
    if (answer.witnesses)
        report.sections.push_back(witnessSection(*answer.witnesses));
    addRemarks(findings, report);
    report.document = traceDocument(findings, view);
    report.records = treeRecords(findings, view);
    return report;
}

} // namespace headroom::cli
