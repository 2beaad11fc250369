// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/timeline/TracedWorkspace.h"

#include "experiments/archive/ExperimentArchive.h"
#include "experiments/archive/StoredExperiment.h"
#include "experiments/report/reading/ReportReader.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "experiments/verdict/DeviceFit.h"
#include "profiling/store/traces/SpoolWriter.h"
#include "tests/profiling/trace/RandomTrace.h"
#include "tests/support/Checkout.h"

namespace headroom::ui {
namespace {

constexpr auto kSpec = "name = \"traced\"\nmodel.name = \"ffn-stack-tiny\"\nworkload.sequence_length = [8, 16, 32]\n"
                       "device.name = \"cpu\"\n";
constexpr trace::MemoryCounters kBefore{.allocated = 40'000'000, .reserved = 0, .active = 40'000'000};

protocol::RepeatResult resultOf(Bytes peak)
{
    protocol::RepeatResult result;
    result.outcome = Outcome::Completed;
    result.memory.peak.allocated = peak;
    result.memory.afterLoad.allocated = 30'000'000;
    result.memory.savedForBackward = 5'000'000;
    result.stepSeconds = {0.1, 0.1};
    return result;
}

/// A host that grows and shrinks, a device that is used, driver memory from a third of the time on, and kernels that
/// are busy for half of the time.
trace::DeviceRecords recordsOf(std::int64_t beginNs, std::int64_t endNs)
{
    trace::DeviceRecords records;
    const std::int64_t step = (endNs - beginNs) / 100;
    for (std::int64_t i = 0; i < 100; ++i) {
        const std::int64_t at = beginNs + i * step;
        records.hostSamples.push_back({at, kGiB + i * kMiB, i * kMiB / 2});
        trace::DeviceSample sample;
        sample.timeNs = at;
        sample.usedBytes = 2 * kGiB + (i % 7) * kMiB;
        records.deviceSamples.push_back(sample);
        trace::KernelRecord kernel;
        kernel.beginNs = at;
        kernel.endNs = at + step / 2;
        records.kernels.push_back(kernel);
    }
    trace::DeviceMemoryRecord memory;
    memory.timeNs = beginNs + 33 * step;
    memory.operation = 1;
    memory.kind = 3;
    memory.address = 0x1000;
    memory.bytes = 64 * kMiB;
    records.memory.push_back(memory);
    return records;
}

} // namespace

TracedWorkspace::TracedWorkspace(std::size_t events, Told told)
    : m_told(told)
{
    const auto spec = experiments::loadSpecText(kSpec, "traced.toml", {});
    const auto planned = experiments::expand(spec);
    experiments::ExperimentArchive archive(path());
    archive.begin(spec, planned, {}, "headroom run traced.toml");
    for (std::size_t i = 0; i < planned.size(); ++i) {
        const std::string spool = i < 2 ? writeSpool(i, events + 1'000 * i) : "";
        const auto result = resultOf(i < 2 ? m_timelines[i].peak(trace::Counter::Allocated).bytes : 1'000);
        archive.add({i, 0, result, {}, "{}", spool});
    }
    readResults();
}

std::string TracedWorkspace::path() const
{
    return m_folder.filePath(QStringLiteral("traced.db")).toStdString();
}

// The owner of a block follows from its address, so that its allocation and its release agree.
void TracedWorkspace::name(std::vector<trace::AllocatorEvent>& events, store::SpoolWriter& spool)
{
    using config::MemoryCategory;
    m_owners = {{}, {MemoryCategory::Weights, "blocks.0.ff", {}}, {MemoryCategory::Weights, "blocks.1.ff", {}},
        {MemoryCategory::SavedActivations, "blocks.0.attn", {}},
        {MemoryCategory::RecomputedActivations, "blocks.0.attn", "checkpointing"},
        {MemoryCategory::Temporaries, "", {}}};
    for (trace::OwnerId id = 1; id < m_owners.size(); ++id)
        spool.addOwner(id, m_owners[id]);
    for (trace::AllocatorEvent& event : events)
        if (event.action != trace::Action::SegmentAlloc)
            event.owner = 1 + static_cast<trace::OwnerId>(event.address / 512 % (m_owners.size() - 1));
}

trace::CategoryBytes TracedWorkspace::categoriesAt(std::size_t index, std::int64_t timeNs) const
{
    trace::CategoryBytes categories;
    categories.of(config::MemoryCategory::Unknown) = kBefore.allocated;
    for (const trace::AllocatorEvent& event : m_events[index]) {
        if (event.timeNs > timeNs)
            break;
        if (event.action == trace::Action::Alloc)
            categories.of(m_owners[event.owner].category) += event.bytes;
        else if (event.action == trace::Action::FreeRequested)
            categories.of(m_owners[event.owner].category) -= event.bytes;
    }
    return categories;
}

std::string TracedWorkspace::writeSpool(std::size_t index, std::size_t count)
{
    auto events = trace::randomTrace(count, static_cast<std::uint32_t>(index) + 1);
    const std::int64_t middle = events[count / 2].timeNs;
    m_phases.push_back(
        {{"forward", 3, events.front().timeNs, middle}, {"backward", 3, middle, events.back().timeNs + 10}});
    const std::string path = m_folder.filePath(QStringLiteral("spool%1").arg(index)).toStdString();
    store::SpoolWriter spool(path);
    spool.beginTrack("device", kBefore);
    if (m_told == Told::OwnersAndRecords) {
        name(events, spool);
        spool.addRecords(recordsOf(events.front().timeNs, events.back().timeNs));
    }
    spool.append("device", events);
    for (const trace::PhaseSpan& phase : m_phases.back())
        spool.addPhase(phase);
    spool.finish();
    const std::int64_t origin = events.front().timeNs;
    m_origins.push_back(origin);
    for (trace::AllocatorEvent& event : events)
        event.timeNs -= origin;
    for (trace::PhaseSpan& phase : m_phases.back()) {
        phase.beginNs -= origin;
        phase.endNs -= origin;
    }
    m_timelines.emplace_back(events, kBefore);
    m_events.push_back(events);
    return path;
}

void TracedWorkspace::readResults()
{
    store::Workspace workspace = experiments::openForReading(path());
    experiments::DeviceFit fit(shippedResources());
    const auto experiment = experiments::chooseExperiment(workspace, "", "test");
    m_results = std::make_shared<const ResultSet>(
        path(), report::readReport(workspace, experiment, fit, report::Identity::Shown));
}

QString TracedWorkspace::trial(std::size_t index) const
{
    return QString::fromStdString(m_results->content().trials[index].id());
}

TimelineRequest TracedWorkspace::request(std::size_t index) const
{
    TimelineRequest request;
    request.subject = {path(), m_results->content().number, trial(index).toStdString(), "Trial", 1};
    return request;
}

std::int64_t TracedWorkspace::lengthNs(std::size_t index) const
{
    return m_phases[index].back().endNs;
}

} // namespace headroom::ui
