// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/ComparedRun.h"

#include "experiments/archive/StoredExperiment.h"
#include "experiments/comparison/ComparedSide.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/store/traces/TraceContents.h"

#include <algorithm>
#include <limits>
#include <memory>

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

// The newest trace that there is of a trial.
std::optional<PeakContents> inWorkspace(const std::filesystem::path& path, const TrialResult& result)
{
    store::Workspace workspace = openForReading(path);
    for (const store::ExperimentRow& experiment : workspace.experiments())
        for (const store::TrialRow& trial : workspace.trials(experiment.id)) {
            if (trial.trialId != result.trialId)
                continue;
            for (const store::RepeatRow& repeat : workspace.repeats(trial.id))
                if (auto found = inTrace(workspace, repeat.id))
                    return found;
        }
    return fromRecord(result);
}

ComparedRun::ContentsOf contentsIn(const std::filesystem::path& workspace)
{
    return [workspace](const TrialResult& result) { return inWorkspace(workspace, result); };
}

std::function<std::optional<RunTimeline>(const TrialResult&)> timelinesIn(const std::filesystem::path& workspace)
{
    return [workspace](const TrialResult& result) { return timelineInWorkspace(workspace, result); };
}

ComparedRun inWholeWorkspace(const std::filesystem::path& file, DeviceFit& deviceFit)
{
    store::Workspace workspace = openForReading(file);
    ComparedRun run{resultsInWorkspace(workspace, deviceFit), contentsIn(file)};
    run.timelineOf = timelinesIn(file);
    if (const auto experiments = workspace.experiments(); !experiments.empty())
        run.environment = readExperiment(workspace, experiments.front()).environment;
    return run;
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
    case SideFile::Workspace:
        return inWholeWorkspace(file, deviceFit);
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
    store::Workspace workspace = openForReading(path);
    ComparedRun run{resultsOfTrial(workspace, experiment, trialId, deviceFit), contentsIn(path)};
    run.timelineOf = timelinesIn(path);
    run.environment = readExperiment(workspace, experiment).environment;
    return run;
}

} // namespace headroom::experiments
