// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/NsysExport.h"

#include "core/base/ShellWords.h"
#include "core/config/DeviceSpec.h"
#include "core/config/Installation.h"
#include "profiling/interchange/NsysEnums.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace headroom::interchange {
namespace {

using trace::Action;
using trace::AllocatorEvent;

// The number of time intervals for which categories are written.
constexpr std::size_t kStretches = 2'000;

constexpr std::string_view kActionNames[] = {"alloc", "free_requested", "free_completed", "segment_alloc",
    "segment_free", "segment_map", "segment_unmap", "oom", "relabelled"};

std::string utcText(std::int64_t epochNs)
{
    const std::chrono::sys_time<std::chrono::seconds> seconds{std::chrono::seconds(epochNs / 1'000'000'000)};
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", seconds);
}

} // namespace

NsysExport::NsysExport(const RecordedTrace& trace, const ReplacedFile& file)
    : m_trace(trace)
    , m_database(file.growing(), file.growing().string())
    , m_records(m_database)
{
}

ExportSummary NsysExport::write()
{
    writeNsysEnums(m_database);
    writeRecords();
    writePhases();
    writeOwners();
    writeTracks();
    writeTargets();
    writeMetadata();
    writeDiagnostics();
    m_database.finish();
    return summary();
}

void NsysExport::writeRecords()
{
    m_trace.eachRecords([this](const trace::DeviceRecords& records) { m_records.learn(records); });
    m_trace.eachRecords([&](const trace::DeviceRecords& records) {
        m_records.write(records);
        if (!m_startedNs && !records.clocks.empty())
            m_startedNs = records.clocks.front().realtimeNs - records.clocks.front().timeNs;
    });
}

void NsysExport::writePhases()
{
    std::map<std::int64_t, trace::PhaseSpan> steps;
    for (const trace::PhaseSpan& phase : m_trace.phases()) {
        m_database.insert(nsys::kHeadroomPhases, std::string_view(phase.name),
            phase.step < 0 ? std::nullopt : std::optional(phase.step), phase.beginNs, phase.endNs);
        writeRange(phase.name, phase);
        if (phase.step < 0)
            continue;
        trace::PhaseSpan& step = steps.try_emplace(phase.step, phase).first->second;
        step.beginNs = std::min(step.beginNs, phase.beginNs);
        step.endNs = std::max(step.endNs, phase.endNs);
    }
    for (const auto& [number, span] : steps)
        writeRange(fmt::format("step {}", number), span);
}

// A program's phases are push/pop ranges of its thread.
void NsysExport::writeRange(const std::string& text, const trace::PhaseSpan& span)
{
    const std::int64_t thread = NsysRecords::globalTid(m_records.process(), m_records.process());
    m_database.insert(nsys::kNvtx, span.beginNs, span.endNs, nsys::kNvtxPushPop, std::nullopt, std::nullopt,
        std::nullopt, std::string_view(text), thread, thread, std::nullopt, 0, std::nullopt, std::nullopt, std::nullopt,
        std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}

void NsysExport::writeOwners()
{
    std::int64_t id = 0;
    for (const trace::MemoryOwner& owner : m_trace.owners().all())
        m_database.insert(nsys::kHeadroomOwners, id++, config::toText(owner.category), std::string_view(owner.module),
            std::string_view(owner.technique), std::string_view(owner.source), std::string_view(owner.frames));
}

void NsysExport::writeTracks()
{
    std::int64_t id = 0;
    for (const store::TrackRow& track : m_trace.tracks())
        writeTrack(id++, track);
}

void NsysExport::writeTrack(std::int64_t id, const store::TrackRow& track)
{
    const trace::MemoryCounters before = m_trace.before(track.track);
    m_database.insert(nsys::kHeadroomTracks, id, std::string_view(track.track), track.events, before.allocated,
        before.reserved, before.active);
    m_trace.eachEvent(track.track, [&](const AllocatorEvent& event) {
        writeEvent(id, event);
        if (!m_records.hasMemory())
            writeMemoryUsage(event);
    });
    writeCategories(id, track);
}

void NsysExport::writeEvent(std::int64_t track, const AllocatorEvent& event)
{
    const bool isOfBlock = event.action == Action::Alloc || event.action == Action::FreeRequested
        || event.action == Action::FreeCompleted || event.action == Action::Relabelled;
    m_database.insert(nsys::kHeadroomEvents, event.timeNs / 1'000, kActionNames[static_cast<std::size_t>(event.action)],
        event.address, event.bytes, event.stream, event.timeNs, event.requestedBytes, track,
        isOfBlock || event.owner != trace::kUnknownOwner ? std::optional(event.owner) : std::nullopt,
        event.action == Action::Relabelled ? std::optional(event.previousOwner) : std::nullopt);
}

// For a trace without the driver's records: what the allocator took from the device, or, on the host, from the system.
void NsysExport::writeMemoryUsage(const AllocatorEvent& event)
{
    const bool takes = isHost() ? event.action == Action::Alloc
                                : event.action == Action::SegmentAlloc || event.action == Action::SegmentMap;
    const bool gives = isHost() ? event.action == Action::FreeRequested
                                : event.action == Action::SegmentFree || event.action == Action::SegmentUnmap;
    if (!takes && !gives)
        return;
    m_database.insert(nsys::kMemoryUsage, event.timeNs, NsysRecords::globalPid(m_records.process()),
        m_trace.deviceIndex(), 0, event.address, 0, event.bytes, isHost() ? nsys::kMemoryPageable : nsys::kMemoryDevice,
        takes ? nsys::kAllocation : nsys::kDeallocation, std::nullopt, std::nullopt, event.stream, std::nullopt,
        std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}

void NsysExport::writeCategories(std::int64_t id, const store::TrackRow& track)
{
    if (m_trace.owners().all().size() < 2)
        return;
    const auto buckets =
        m_trace.reader().categories(m_trace.repeat().id, track.track, track.firstNs, track.lastNs + 1, kStretches);
    for (const trace::CategoryBucket& bucket : buckets)
        for (const config::MemoryCategory category : config::kMemoryCategories)
            if (bucket.atMax.of(category) != 0)
                m_database.insert(nsys::kHeadroomCategories, id, bucket.allocated.beginNs, bucket.allocated.endNs,
                    config::toText(category), bucket.atMax.of(category));
}

void NsysExport::writeTargets()
{
    if (!m_startedNs && m_trace.repeat().startedAt)
        m_startedNs = std::chrono::nanoseconds(m_trace.repeat().startedAt->time_since_epoch()).count();
    if (m_startedNs)
        m_database.insert(nsys::kSessionStart, *m_startedNs, utcText(*m_startedNs), utcText(*m_startedNs));
    m_records.writeTargets();
    if (!isHost())
        m_database.insert(nsys::kGpus, NsysRecords::kGlobalVm, m_trace.deviceIndex(),
            std::string_view(m_trace.trial().device), std::nullopt, m_trace.deviceIndex());
    const std::int64_t beginNs = std::min<std::int64_t>(0, m_trace.firstNs());
    const std::int64_t endNs = std::max<std::int64_t>(0, m_trace.lastNs());
    m_database.insert(nsys::kAnalysisDetails, NsysRecords::kGlobalVm, endNs - beginNs, beginNs, endNs);
    m_database.insert(nsys::kThreadNames, m_database.idOf("headroom-worker"), std::nullopt,
        NsysRecords::globalTid(m_records.process(), m_records.process()));
}

void NsysExport::writeMetadata()
{
    const auto exported = [&](std::string_view name, std::string_view value) {
        m_database.insert(nsys::kExportMetadata, name, value);
        m_database.insert(nsys::kHeadroomAbout, name, value);
    };
    exported("EXPORT_PRODUCT_VERSION", "Headroom " + config::version());
    exported("EXPORT_SCHEMA_VERSION", kSchemaVersion);
    exported("EXPORT_SOURCE", m_trace.title());
    exported("HEADROOM_MEMORY_USAGE_EVENTS",
        m_records.hasMemory() ? "from the driver (CUPTI)"
            : isHost()        ? "blocks of the CPU's allocator, as pageable memory"
                              : "segments of the caching allocator: no record of the driver");
    exported("HEADROOM_KIND", config::toText(config::provenanceOf(m_trace.trial().device, m_trace.trial().predicted)));
    exported("HEADROOM_EXPERIMENT", m_trace.experiment().name);
    exported("HEADROOM_TRIAL_ID", m_trace.trial().trialId);
    exported("HEADROOM_DEVICE", m_trace.trial().device);
    const std::string command = experiments::shownCommand(m_trace.experiment().commandLine);
    m_database.insert(nsys::kCaptureMetadata, "HEADROOM_COMMAND_LINE", std::string_view(command));
}

void NsysExport::writeDiagnostics()
{
    for (const store::DiagnosticRow& row : m_trace.diagnostics())
        m_database.insert(nsys::kHeadroomDiagnostics, store::toText(row.severity), std::string_view(row.kind),
            std::string_view(row.message), row.count);
}

bool NsysExport::isHost() const
{
    return m_trace.trial().device == "cpu" || m_trace.trial().device.starts_with("sim:cpu");
}

ExportSummary NsysExport::summary() const
{
    ExportSummary summary;
    summary.contents = fmt::format("{} allocator events, {} phases and {} records of driver, device and host",
        m_trace.events(), m_trace.phases().size(), m_records.written());
    if (!m_records.hasMemory())
        summary.notes.push_back(isHost()
                ? "memory usage events are the blocks of the CPU's allocator (pageable memory)"
                : "memory usage events are segments of the caching allocator: the driver's own "
                  "records were not captured");
    if (m_records.withoutTimes() > 0)
        summary.notes.push_back(
            fmt::format("{} kernels, copies and fills whose times were lost are left out", m_records.withoutTimes()));
    return summary;
}

} // namespace headroom::interchange
