// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/ChromeExport.h"

#include "core/config/DeviceSpec.h"
#include "core/config/Installation.h"
#include "profiling/interchange/ChromeCounters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace headroom::interchange {
namespace {

constexpr int kTrial = 1;

JsonObject aboutTrial(const RecordedTrace& trace)
{
    return JsonObject()
        .add("product", std::string_view("Headroom " + config::version()))
        .add("experiment", std::string_view(trace.experiment().name))
        .add("trial_id", std::string_view(trace.trial().trialId))
        .add("label", std::string_view(trace.trial().label))
        .add("device", std::string_view(trace.trial().device))
        .add("repeat", std::int64_t{trace.repeat().repeatIndex})
        .add("kind",
            std::string_view(config::toText(config::provenanceOf(trace.trial().device, trace.trial().predicted))))
        .add("time_unit", std::string_view("microseconds since the start of the trace"));
}

std::optional<std::size_t> widthFor(const RecordedTrace& trace, std::optional<std::size_t> width)
{
    if (!width && trace.events() > ChromeExport::kMostEvents)
        return ChromeExport::kStretches;
    return width;
}

// Ordered by begin, the outer of two first.
std::vector<trace::PhaseSpan> inOrder(std::vector<trace::PhaseSpan> spans)
{
    std::ranges::stable_sort(spans, [](const trace::PhaseSpan& a, const trace::PhaseSpan& b) {
        return a.beginNs != b.beginNs ? a.beginNs < b.beginNs : a.endNs > b.endNs;
    });
    return spans;
}

} // namespace

ChromeExport::ChromeExport(const RecordedTrace& trace, ReplacedFile& file, std::optional<std::size_t> width)
    : m_trace(trace)
    , m_writer(file, aboutTrial(trace))
    , m_records(trace, m_writer)
    , m_width(widthFor(trace, width))
    , m_title("Headroom: " + trace.title())
{
}

ExportSummary ChromeExport::write()
{
    writeSteps();
    writePhases();
    writeCounters();
    m_records.write();
    m_writer.finish();
    return summary();
}

void ChromeExport::writePhases()
{
    for (const trace::PhaseSpan& phase : inOrder(m_trace.phases()))
        m_writer.span({kTrial, m_title}, "phases",
            {phase.name, "phase", phase.beginNs, phase.endNs,
                phase.step < 0 ? JsonObject() : JsonObject().add("step", phase.step)});
}

// From the begin of its first phase to the end of its last one.
void ChromeExport::writeSteps()
{
    std::map<std::int64_t, trace::PhaseSpan> steps;
    for (const trace::PhaseSpan& phase : m_trace.phases()) {
        if (phase.step < 0)
            continue;
        trace::PhaseSpan& step = steps.try_emplace(phase.step, phase).first->second;
        step.name = fmt::format("step {}", phase.step);
        step.beginNs = std::min(step.beginNs, phase.beginNs);
        step.endNs = std::max(step.endNs, phase.endNs);
    }
    std::vector<trace::PhaseSpan> spans;
    for (const auto& [number, span] : steps)
        spans.push_back(span);
    for (const trace::PhaseSpan& step : inOrder(spans))
        m_writer.span({kTrial, m_title}, "steps", {step.name, "step", step.beginNs, step.endNs});
}

void ChromeExport::writeCounters()
{
    ChromeCounters counters(m_trace, m_writer, {kTrial, m_title});
    for (const store::TrackRow& track : m_trace.tracks()) {
        if (m_width)
            counters.writeStretches(track, *m_width);
        else
            counters.writeAll(track);
        counters.writeOutOfMemory(track);
    }
}

ExportSummary ChromeExport::summary() const
{
    ExportSummary summary;
    summary.contents = fmt::format("{} trace events of {} allocator events, {} phases and {} records",
        m_writer.events(), m_trace.events(), m_trace.phases().size(), m_records.records());
    if (m_width)
        summary.notes.push_back(fmt::format("counters are summarised to {} stretches of time each, with the most, the "
                                            "least and the last value of each; "
                                            "blocks by themselves are in none of them",
            *m_width));
    if (m_records.withoutTimes() > 0)
        summary.notes.push_back(
            fmt::format("{} kernels, copies and fills whose times were lost are left out", m_records.withoutTimes()));
    return summary;
}

} // namespace headroom::interchange
