// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/TraceDocument.h"

#include "app/cli/trace/TraceExplanations.h"
#include "app/cli/trace/TraceSections.h"

namespace headroom::cli {

using experiments::OrderedJson;

namespace {

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

} // namespace

OrderedJson treeRecords(const TraceFindings& findings, const TreeView& view)
{
    OrderedJson records = OrderedJson::array();
    addNodes(treeOf(findings, view.grouping), "", 0, view.depth, records);
    return records;
}

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

} // namespace headroom::cli
