// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/RecordedTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <stop_token>
#include <utility>

namespace headroom::interchange {
namespace {

using Time = std::numeric_limits<std::int64_t>;

// In a trace with kernels each part must fit into memory; each part costs one query of every table.
constexpr std::uint64_t kRecordWindows = 64;

// Records that began before a window were returned with the window in which they began.
void dropBegunBefore(trace::DeviceRecords& records, std::int64_t fromNs)
{
    const auto drop = [&](auto& list) { std::erase_if(list, [&](const auto& span) { return span.beginNs < fromNs; }); };
    drop(records.copies);
    drop(records.memsets);
    drop(records.kernels);
    drop(records.calls);
    drop(records.overheads);
    drop(records.markers);
}

} // namespace

RecordedTrace::RecordedTrace(
    store::Workspace& workspace, store::ExperimentRow experiment, store::TrialRow trial, store::RepeatRow repeat)
    : m_workspace(workspace)
    , m_experiment(std::move(experiment))
    , m_trial(std::move(trial))
    , m_repeat(std::move(repeat))
    , m_tracks(workspace.trace().tracks(m_repeat.id))
    , m_owners(workspace.trace().owners(m_repeat.id))
    , m_phases(workspace.phases(m_repeat.id))
{
}

std::vector<store::DiagnosticRow> RecordedTrace::diagnostics() const
{
    return m_workspace.repeatDiagnostics(m_repeat.id);
}

std::string RecordedTrace::title() const
{
    const std::string device = m_trial.runtime ? m_trial.device + "@" + *m_trial.runtime : m_trial.device;
    const bool namesDevice = m_trial.label.find(m_trial.device) != std::string::npos;
    return fmt::format("{}{}, repeat {}{}", namesDevice ? "" : device + " | ", m_trial.label, m_repeat.repeatIndex,
        m_trial.predicted ? " (predicted)" : "");
}

std::int64_t RecordedTrace::events() const
{
    std::int64_t events = 0;
    for (const store::TrackRow& track : m_tracks)
        events += track.events;
    return events;
}

std::int64_t RecordedTrace::firstNs() const
{
    std::vector<std::int64_t> times;
    for (const store::TrackRow& track : m_tracks)
        times.push_back(track.firstNs);
    for (const trace::PhaseSpan& phase : m_phases)
        times.push_back(phase.beginNs);
    return times.empty() ? 0 : std::ranges::min(times);
}

std::int64_t RecordedTrace::lastNs() const
{
    std::vector<std::int64_t> times;
    for (const store::TrackRow& track : m_tracks)
        times.push_back(track.lastNs);
    for (const trace::PhaseSpan& phase : m_phases)
        times.push_back(phase.endNs);
    return times.empty() ? 0 : std::ranges::max(times);
}

int RecordedTrace::deviceIndex() const
{
    constexpr std::string_view kCuda = "cuda:";
    int index = 0;
    if (m_trial.device.starts_with(kCuda))
        std::from_chars(m_trial.device.data() + kCuda.size(), m_trial.device.data() + m_trial.device.size(), index);
    return std::clamp(index, 0, 1'023);
}

trace::MemoryCounters RecordedTrace::before(const std::string& track) const
{
    trace::MemoryCounters before;
    std::stop_source firstBlockSeen;
    reader().eachBlock(m_repeat.id, track, Time::min(), Time::max(), firstBlockSeen.get_token(),
        [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent>) {
            before = header.before;
            firstBlockSeen.request_stop();
        });
    return before;
}

void RecordedTrace::eachEvent(const std::string& track, const EventVisitor& visit) const
{
    reader().eachBlock(
        m_repeat.id, track, [&](const trace::EventBlockHeader&, std::span<const trace::AllocatorEvent> events) {
            for (const trace::AllocatorEvent& event : events)
                visit(event);
        });
}

void RecordedTrace::eachRecords(const RecordVisitor& visit) const
{
    const auto first = static_cast<std::uint64_t>(firstNs());
    const std::uint64_t length = static_cast<std::uint64_t>(lastNs()) - first;
    std::int64_t fromNs = Time::min();
    for (std::uint64_t window = 1; window <= kRecordWindows; ++window) {
        const bool isLast = window == kRecordWindows;
        const std::int64_t toNs =
            isLast ? Time::max() : static_cast<std::int64_t>(first + length / kRecordWindows * window);
        trace::DeviceRecords records = reader().records(m_repeat.id, fromNs, toNs);
        dropBegunBefore(records, fromNs);
        visit(records);
        fromNs = toNs;
    }
}

} // namespace headroom::interchange
