// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/TraceReport.h"

#include "app/cli/trace/TraceExplanations.h"
#include "app/cli/trace/TraceSections.h"
#include "app/cli/trace/TraceTable.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/DeviceSpec.h"

#include <fmt/format.h>

namespace headroom::cli {
namespace {

/// One record per node of the tree, down to the view's depth; no node is folded or left out.
experiments::OrderedJson treeRecords(const TraceFindings& findings, const TreeView& view);

using experiments::OrderedJson;

double documentSeconds(std::int64_t timeNs)
{
    return static_cast<double>(timeNs) / 1e9;
}

OrderedJson categoriesInDocument(const trace::CategoryBytes& categories)
{
    OrderedJson json = OrderedJson::object();
    for (const config::MemoryCategory category : config::kMemoryCategories)
        json[std::string(config::toText(category))] = categories.of(category);
    return json;
}

void addPhase(OrderedJson& json, const std::optional<trace::PhaseSpan>& phase)
{
    json["phase"] = phase ? OrderedJson(phase->name) : OrderedJson();
    json["step"] = phase && phase->step >= 0 ? OrderedJson(phase->step) : OrderedJson();
}

OrderedJson peakJson(const std::optional<figures::MemoryPeak>& peak, const std::optional<trace::PhaseSpan>& phase)
{
    if (!peak)
        return nullptr;
    OrderedJson json{{"total_bytes", peak->bytes}, {"time_seconds", documentSeconds(peak->timeNs)}};
    addPhase(json, phase);
    return json;
}

OrderedJson instantJson(const report::TraceAnswer& answer)
{
    const trace::MemoryCounters& counters = answer.holdings.counters;
    const auto ofCache = [&](Bytes bytes) { return answer.reservedPeak ? OrderedJson(bytes) : OrderedJson(); };
    OrderedJson json{{"is_peak", answer.isAtPeak()}, {"time_seconds", documentSeconds(answer.timeNs)}};
    addPhase(json, answer.phase);
    json["allocated_bytes"] = counters.allocated;
    json["reserved_bytes"] = ofCache(counters.reserved);
    json["active_bytes"] = ofCache(counters.active);
    json["categories"] = categoriesInDocument(answer.categories);
    return json;
}

OrderedJson phasesJson(const report::TraceAnswer& answer)
{
    OrderedJson list = OrderedJson::array();
    for (const trace::PhaseContent& content : answer.phases) {
        OrderedJson json;
        addPhase(json, content.phase);
        json["total_bytes"] = content.allocated.bytes;
        json["time_seconds"] = documentSeconds(content.allocated.timeNs);
        json["categories"] = categoriesInDocument(content.categories);
        list.push_back(std::move(json));
    }
    return list;
}

OrderedJson outOfMemoryJson(const report::TraceAnswer& answer)
{
    OrderedJson list = OrderedJson::array();
    for (const trace::AllocatorEvent& event : answer.outOfMemory)
        list.push_back({{"time_seconds", documentSeconds(event.timeNs)}, {"requested_bytes", event.bytes},
            {"free_bytes", event.address}});
    return list;
}

OrderedJson leaksJson(const protocol::RepeatResult& result)
{
    if (!result.breakdown)
        return nullptr;
    OrderedJson list = OrderedJson::array();
    for (const protocol::MemoryLeak& leak : result.breakdown->leaks)
        list.push_back({{"category", leak.category}, {"per_step_bytes", leak.bytesPerStep}});
    return list;
}

OrderedJson diagnosticsJson(const std::vector<store::DiagnosticRow>& rows)
{
    OrderedJson list = OrderedJson::array();
    for (const store::DiagnosticRow& row : rows)
        list.push_back({{"severity", store::toText(row.severity)}, {"kind", row.kind}, {"message", row.message},
            {"count", row.count}});
    return list;
}

OrderedJson nodeRecord(const trace::MemoryNode& node, const std::string& path, std::size_t level)
{
    return {{"path", path}, {"level", level}, {"total_bytes", node.bytes()}, {"own_bytes", node.own.total()},
        {"categories", categoriesInDocument(node.total)}};
}

void addNodes(
    const trace::MemoryNode& node, const std::string& path, std::size_t level, std::size_t depth, OrderedJson& records)
{
    records.push_back(nodeRecord(node, path, level));
    if (level < depth)
        for (const trace::MemoryNode& child : node.children)
            addNodes(child, path.empty() ? child.name : path + "." + child.name, level + 1, depth, records);
}

OrderedJson treeRecords(const TraceFindings& findings, const TreeView& view)
{
    OrderedJson records = OrderedJson::array();
    addNodes(treeOf(findings, view.grouping), "", 0, view.depth, records);
    return records;
}

/// {"schema":"headroom.trace/1", ...}
OrderedJson traceDocument(const TraceFindings& findings, const TreeView& view)
{
    const TraceSubject& subject = findings.subject;
    OrderedJson document{{"schema", "headroom.trace/1"}, {"experiment", subject.experiment.name},
        {"trial_id", subject.trial.trialId}, {"config_id", subject.trial.configId}, {"label", subject.trial.label},
        {"device", subject.trial.device},
        {"runtime", subject.trial.runtime ? OrderedJson(*subject.trial.runtime) : OrderedJson()},
        {"predicted", subject.trial.predicted}, {"repeat", subject.repeat.repeatIndex},
        {"outcome", toText(subject.repeat.outcome)}, {"track", findings.answer.track},
        {"trace_seconds", documentSeconds(subject.traced.lengthNs)}, {"lower_bound", findings.isLowerBound()}};
    document["peak"] = peakJson(findings.answer.peak, findings.answer.peakPhase);
    document["reserved_peak"] = peakJson(findings.answer.reservedPeak, findings.answer.reservedPeakPhase);
    document["at"] = instantJson(findings.answer);
    document["by"] = trace::toText(view.grouping);
    document["tree"] = treeRecords(findings, view);
    document["phases"] = phasesJson(findings.answer);
    document["owner"] = ownerJson(findings);
    document["techniques"] = techniquesJson(findings);
    document["no_effect"] = noEffectJson(findings);
    document["against"] = comparisonJson(findings);
    document["fragmentation"] = unusedJson(findings.answer);
    document["witnesses"] = witnessesJson(findings.answer.witnesses);
    document["out_of_memory"] = outOfMemoryJson(findings.answer);
    document["leaks"] = leaksJson(findings.result);
    document["diagnostics"] = diagnosticsJson(findings.diagnostics);
    return document;
}

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
