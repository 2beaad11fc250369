// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/timeline/TracedWorkspace.h"

#include "experiments/DeviceFit.h"
#include "experiments/ExperimentArchive.h"
#include "experiments/SpecLoader.h"
#include "experiments/StoredExperiment.h"
#include "experiments/Sweep.h"
#include "experiments/report/ReportReader.h"
#include "profiling/store/SpoolWriter.h"
#include "tests/profiling/trace/RandomTrace.h"

namespace headroom::ui {
namespace {

constexpr auto kSpec = "name = \"traced\"\nmodel.name = \"ffn-stack-tiny\"\nworkload.sequence_length = [8, 16, 32]\n"
                       "device.name = \"cpu\"\n";
constexpr trace::MemoryCounters kBefore{.allocated = 40'000'000, .reserved = 0, .active = 40'000'000};

protocol::RepeatResult resultOf(Bytes peak)
{
    protocol::RepeatResult result;
    result.outcome = protocol::Outcome::Completed;
    result.memory.peak.allocated = peak;
    result.memory.afterLoad.allocated = 30'000'000;
    result.memory.savedForBackward = 5'000'000;
    result.stepSeconds = {0.1, 0.1};
    return result;
}

} // namespace

TracedWorkspace::TracedWorkspace(std::size_t events)
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

std::string TracedWorkspace::writeSpool(std::size_t index, std::size_t count)
{
    auto events = trace::randomTrace(count, static_cast<std::uint32_t>(index) + 1);
    const std::int64_t middle = events[count / 2].timeNs;
    m_phases.push_back(
        {{"forward", 3, events.front().timeNs, middle}, {"backward", 3, middle, events.back().timeNs + 10}});
    const std::string path = m_folder.filePath(QStringLiteral("spool%1").arg(index)).toStdString();
    store::SpoolWriter spool(path);
    spool.beginTrack("device", kBefore);
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
    return path;
}

void TracedWorkspace::readResults()
{
    store::Workspace workspace = experiments::openForReading(path());
    experiments::DeviceFit fit(HEADROOM_SOURCE_DIR "/resources");
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
