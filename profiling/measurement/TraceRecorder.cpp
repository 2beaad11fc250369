// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/TraceRecorder.h"

#include "profiling/measurement/TrialMeasurement.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

using BytesByName = std::map<std::string, Bytes>;

std::vector<protocol::ModuleBytes> largestFirst(const std::map<std::string, BytesByName>& modules)
{
    std::vector<protocol::ModuleBytes> result;
    for (const auto& [path, categories] : modules) {
        Bytes bytes = 0;
        for (const auto& [category, part] : categories)
            bytes += part;
        result.push_back({path, bytes, categories});
    }
    std::ranges::stable_sort(result, std::ranges::greater{}, &protocol::ModuleBytes::bytes);
    return result;
}

} // namespace

std::size_t TraceRecorder::LabelHash::operator()(const tensor::MemoryLabel& label) const
{
    const std::size_t technique = label.technique.empty() ? 0 : static_cast<unsigned char>(label.technique.front());
    return std::hash<std::size_t>{}(
        (static_cast<std::size_t>(label.module) << 16) ^ (technique << 8) ^ static_cast<std::size_t>(label.category));
}

TraceRecorder::TraceRecorder(const tensor::MemoryAttribution& attribution, const PhaseLedger& ledger, TraceSink* sink)
    : m_attribution(attribution)
    , m_ledger(ledger)
    , m_sink(sink)
{
}

trace::OwnerId TraceRecorder::idOf(const tensor::MemoryLabel& label)
{
    const auto found = m_ids.find(label);
    return found == m_ids.end() ? newId(label) : found->second;
}

trace::OwnerId TraceRecorder::newId(const tensor::MemoryLabel& label)
{
    const std::size_t known = m_owners.all().size();
    const trace::MemoryOwner owner{label.category, m_attribution.pathOf(label.module), std::string(label.technique),
        m_attribution.sourceOf(label.module)};
    const trace::OwnerId id = m_owners.idOf(owner);
    if (m_sink != nullptr && m_owners.all().size() > known)
        m_sink->owner(id, owner);
    m_ids.emplace(label, id);
    return id;
}

void TraceRecorder::event(const LabelledEvent& labelled)
{
    trace::AllocatorEvent event = labelled;
    event.owner = idOf(labelled.label);
    event.previousOwner = idOf(labelled.previousLabel);
    countRequested(event);
    if (m_peak.add(event)) {
        m_peakPhase = m_ledger.currentPhase();
        m_requestedAtPeak = m_requested.total();
    }
    if (m_sink != nullptr)
        m_sink->event(event);
}

void TraceRecorder::beginSpan()
{
    m_peak.restart();
    m_peakPhase.clear();
    m_requestedAtPeak = m_requested.total();
}

void TraceRecorder::stepEnded()
{
    m_stepEnds = {m_stepEnds[1], m_requested};
    ++m_steps;
}

Bytes& TraceRecorder::requestedOf(trace::OwnerId owner)
{
    return m_requested.of(m_owners.of(owner).category);
}

void TraceRecorder::countRequested(const trace::AllocatorEvent& event)
{
    if (event.action == trace::Action::Alloc || event.action == trace::Action::Relabelled)
        requestedOf(event.owner) += event.requestedBytes;
    if (event.action == trace::Action::FreeRequested)
        requestedOf(event.owner) -= event.requestedBytes;
    if (event.action == trace::Action::Relabelled)
        requestedOf(event.previousOwner) -= event.requestedBytes;
}

std::vector<protocol::MemoryLeak> TraceRecorder::leaks() const
{
    std::vector<protocol::MemoryLeak> result;
    for (const config::MemoryCategory category : config::kMemoryCategories)
        if (const Bytes grown = m_stepEnds[1].of(category) - m_stepEnds[0].of(category); m_steps > 1 && grown > 0)
            result.push_back({std::string(toText(category)), grown});
    return result;
}

protocol::MemoryBreakdown TraceRecorder::breakdown() const
{
    protocol::MemoryBreakdown result;
    result.totalBytes = m_peak.peakBytes();
    result.requestedBytes = m_requestedAtPeak;
    result.phase = m_peakPhase;
    result.leaks = leaks();
    for (const config::MemoryCategory category : config::kMemoryCategories)
        result.categories[std::string(toText(category))] = 0;
    std::map<std::string, BytesByName> modules;
    std::map<std::string, BytesByName> sources;
    const std::vector<Bytes> byOwner = m_peak.atPeak();
    for (std::size_t id = 0; id < byOwner.size(); ++id) {
        if (byOwner[id] == 0)
            continue;
        const trace::MemoryOwner& owner = m_owners.of(static_cast<trace::OwnerId>(id));
        const std::string category(toText(owner.category));
        result.categories[category] += byOwner[id];
        result.techniques[owner.technique] += byOwner[id];
        modules[owner.module][category] += byOwner[id];
        if (!owner.source.empty())
            sources[owner.source][category] += byOwner[id];
    }
    result.modules = largestFirst(modules);
    for (const protocol::ModuleBytes& line : largestFirst(sources))
        result.sources.push_back({line.path, line.bytes, line.categories});
    return result;
}

} // namespace headroom::collectors
