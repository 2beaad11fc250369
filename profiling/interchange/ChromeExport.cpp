// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/ChromeExport.h"

#include "core/config/DeviceSpec.h"
#include "core/config/Installation.h"
#include "profiling/interchange/ChromeWriter.h"
#include "profiling/interchange/RecordedTrace.h"
#include "profiling/trace/CategoryCounters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace headroom::interchange {
namespace {

/// Writes an allocator's memory as counters of a Chrome trace: allocated, reserved and active bytes, and allocated
/// bytes by category, stacked.
class ChromeCounters {
public:
    ChromeCounters(const RecordedTrace& trace, ChromeWriter& writer, ChromeProcess process);

    /// Writes every change of each counter. Reads the track block by block.
    void writeAll(const store::TrackRow& track);
    /// Writes each counter as at most `width` intervals of time, with the minimum, maximum and last value of each:
    /// peaks are kept, however short they are. The categories are those at the maximum.
    void writeStretches(const store::TrackRow& track, std::size_t width);
    /// Writes an instant event for each request that failed.
    void writeOutOfMemory(const store::TrackRow& track);

private:
    std::string nameOf(const std::string& counter, const std::string& track) const;
    void write(const std::string& name, std::int64_t timeNs, Bytes bytes);
    void writeChanges(const std::string& track, std::int64_t timeNs, const trace::MemoryCounters& before,
        const trace::MemoryCounters& now);
    void writeBuckets(const std::string& name, const std::vector<trace::Bucket>& buckets);
    void writeCategories(const std::string& track, std::int64_t timeNs, const trace::CategoryBytes& bytes);

    const RecordedTrace& m_trace;
    ChromeWriter& m_writer;
    ChromeProcess m_process;
    std::vector<config::MemoryCategory> m_categories; ///< of the trace's owners; empty if it has no owners
};

using trace::Action;

constexpr const char* kByCategory = "allocated by category";

std::vector<config::MemoryCategory> categoriesOf(const trace::OwnerTable& owners)
{
    if (owners.all().size() < 2)
        return {};
    std::set<config::MemoryCategory> found;
    for (const trace::MemoryOwner& owner : owners.all())
        found.insert(owner.category);
    return {found.begin(), found.end()};
}

ChromeCounters::ChromeCounters(const RecordedTrace& trace, ChromeWriter& writer, ChromeProcess process)
    : m_trace(trace)
    , m_writer(writer)
    , m_process(process)
    , m_categories(categoriesOf(trace.owners()))
{
}

void ChromeCounters::writeAll(const store::TrackRow& track)
{
    trace::MemoryCounters now = m_trace.before(track.track);
    const trace::OwnerCategories owners(m_trace.owners().all());
    trace::CategoryCounters categories = trace::CategoryCounters::ofUnknown(now.allocated);
    writeChanges(track.track, track.firstNs, {}, now);
    m_trace.eachEvent(track.track, [&](const trace::AllocatorEvent& event) {
        const trace::MemoryCounters before = now;
        now.apply(event);
        writeChanges(track.track, event.timeNs, before, now);
        categories.apply(event, owners);
        if (trace::CategoryCounters::isMovedBy(event.action))
            writeCategories(track.track, event.timeNs, categories.categories);
    });
}

void ChromeCounters::writeStretches(const store::TrackRow& track, std::size_t width)
{
    const std::int64_t endNs = track.lastNs + 1;
    for (const trace::Counter counter : trace::kCounters)
        writeBuckets(nameOf(std::string(trace::counterName(counter)), track.track),
            m_trace.reader().timeline(m_trace.repeat().id, track.track, counter, track.firstNs, endNs, width));
    if (m_categories.empty())
        return;
    for (const trace::CategoryBucket& bucket :
        m_trace.reader().categories(m_trace.repeat().id, track.track, track.firstNs, endNs, width))
        writeCategories(track.track, bucket.allocated.beginNs, bucket.atMax);
}

void ChromeCounters::writeOutOfMemory(const store::TrackRow& track)
{
    m_trace.eachEvent(track.track, [&](const trace::AllocatorEvent& event) {
        if (event.action == Action::OutOfMemory)
            m_writer.instant(m_process, "out of memory", event.timeNs,
                JsonObject()
                    .add("requested_bytes", event.bytes)
                    .add("free_bytes", static_cast<std::int64_t>(event.address))
                    .add("track", std::string_view(track.track)));
    });
}

// There is usually one track, whose name would only be in the way.
std::string ChromeCounters::nameOf(const std::string& counter, const std::string& track) const
{
    return m_trace.tracks().front().track == track ? counter : counter + " (" + track + ")";
}

void ChromeCounters::write(const std::string& name, std::int64_t timeNs, Bytes bytes)
{
    m_writer.counter(m_process, name, timeNs, JsonObject().add("bytes", bytes));
}

void ChromeCounters::writeChanges(const std::string& track, std::int64_t timeNs, const trace::MemoryCounters& before,
    const trace::MemoryCounters& now)
{
    for (const trace::Counter counter : trace::kCounters)
        if (before.of(counter) != now.of(counter))
            write(nameOf(std::string(trace::counterName(counter)), track), timeNs, now.of(counter));
}

// A counter keeps its value until the next one: maximum, minimum and last share the interval, in this order.
void ChromeCounters::writeBuckets(const std::string& name, const std::vector<trace::Bucket>& buckets)
{
    Bytes drawn = -1;
    const auto draw = [&](std::int64_t timeNs, Bytes bytes) {
        if (bytes != drawn)
            write(name, timeNs, bytes);
        drawn = bytes;
    };
    for (const trace::Bucket& bucket : buckets) {
        const std::int64_t length = bucket.endNs - bucket.beginNs;
        draw(bucket.beginNs, bucket.max);
        draw(bucket.beginNs + length / 2, bucket.min);
        draw(bucket.beginNs + length - 1, bucket.last);
    }
}

void ChromeCounters::writeCategories(const std::string& track, std::int64_t timeNs, const trace::CategoryBytes& bytes)
{
    if (m_categories.empty())
        return;
    JsonObject values;
    for (const config::MemoryCategory category : m_categories)
        values.add(config::toText(category), bytes.of(category));
    m_writer.counter(m_process, nameOf(kByCategory, track), timeNs, values);
}

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
