// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/ComparedRun.h"

#include "experiments/archive/StoredExperiment.h"
#include "experiments/comparison/ComparedSide.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/store/traces/TraceContents.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>

namespace headroom::experiments {
namespace {

std::optional<PeakContents> fromRecord(const TrialResult& result)
{
    return result.breakdown ? std::optional(peakContentsOf(*result.breakdown)) : std::nullopt;
}

std::optional<PeakContents> inTrace(store::Workspace& workspace, std::int64_t repeat)
{
    const store::TraceReader reader = workspace.trace();
    const auto tracks = reader.tracks(repeat);
    if (tracks.empty())
        return std::nullopt;
    const auto device = std::ranges::find(tracks, "device", &store::TrackRow::track);
    const store::TrackRow& track = device == tracks.end() ? tracks.front() : *device;
    const store::TrackCounter of{repeat, track.track};
    const trace::Peak peak = store::findPeak(reader, of, track.firstNs, track.lastNs + 1);
    const auto phases = workspace.phases(repeat);
    const auto holdings = store::findHoldings(reader, of, peak, phases, {});
    return holdings ? std::optional(peakContentsOf(*holdings, reader.owners(repeat))) : std::nullopt;
}

/// The traces of a workspace, found by one query and read over one connection, however many trials are compared.
class WorkspaceTraces {
public:
    explicit WorkspaceTraces(const std::filesystem::path& path)
        : m_workspace(std::make_shared<store::Workspace>(openForReading(path)))
        , m_repeats(m_workspace->tracedRepeats())
    {
    }

    store::Workspace& workspace() const { return *m_workspace; }

    // Of the newest trace that there is of the trial.
    std::optional<PeakContents> contents(const TrialResult& result) const
    {
        for (const std::int64_t repeat : repeatsOf(result))
            if (auto found = inTrace(*m_workspace, repeat))
                return found;
        return fromRecord(result);
    }

    std::optional<RunTimeline> timeline(const TrialResult& result) const
    {
        return timelineInWorkspace(m_workspace, repeatsOf(result));
    }

private:
    std::span<const std::int64_t> repeatsOf(const TrialResult& result) const
    {
        const auto found = m_repeats.find(result.trialId);
        return found == m_repeats.end() ? std::span<const std::int64_t>() : std::span(found->second);
    }

    std::shared_ptr<store::Workspace> m_workspace;
    std::map<std::string, std::vector<std::int64_t>> m_repeats; ///< with a trace, the newest first, by trial id
};

ComparedRun runWith(const std::shared_ptr<const WorkspaceTraces>& traces, WorkspaceResults results)
{
    return {.results = std::move(results.trials),
        .contentsOf = [traces](const TrialResult& result) { return traces->contents(result); },
        .timelineOf = [traces](const TrialResult& result) { return traces->timeline(result); },
        .environment = std::move(results.environment)};
}

ComparedRun ofRecording(const std::filesystem::path& file)
{
    const auto recording = std::make_shared<const recordings::Recording>(recordings::readRecording(file));
    ComparedRun run{resultsOfRecording(*recording, file.stem().string()), {}};
    const auto deviceOf = [ids = run.results](const TrialResult& result) -> std::optional<std::size_t> {
        const auto found = std::ranges::find(ids, result.trialId, &TrialResult::trialId);
        return found == ids.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - ids.begin()));
    };
    run.contentsOf = [recording, deviceOf](const TrialResult& result) -> std::optional<PeakContents> {
        const auto device = deviceOf(result);
        return device ? std::optional(peakContentsOf(*recording, recording->devices.at(*device))) : std::nullopt;
    };
    run.timelineOf = [recording, deviceOf](const TrialResult& result) -> std::optional<RunTimeline> {
        const auto device = deviceOf(result);
        return device ? std::optional(timelineOf(*recording, *device)) : std::nullopt;
    };
    return run;
}

} // namespace

ComparedRun runInFile(const std::filesystem::path& file, DeviceFit& deviceFit)
{
    switch (kindOfSide(file)) {
    case SideFile::Workspace: {
        const auto traces = std::make_shared<const WorkspaceTraces>(file);
        return runWith(traces, resultsInWorkspace(traces->workspace(), deviceFit));
    }
    case SideFile::Recording:
        return ofRecording(file);
    case SideFile::Document:
    case SideFile::Lines:
        break;
    }
    return {resultsInFile(file, deviceFit), fromRecord};
}

ComparedRun runOfTrial(const std::filesystem::path& path, const store::ExperimentRow& experiment,
    const std::string& trialId, DeviceFit& deviceFit)
{
    const auto traces = std::make_shared<const WorkspaceTraces>(path);
    return runWith(traces, resultsOfTrial(traces->workspace(), experiment, trialId, deviceFit));
}

} // namespace headroom::experiments
