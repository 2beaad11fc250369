// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/comparison/PeakContents.h"
#include "experiments/comparison/RunTimeline.h"
#include "experiments/results/OrderedJson.h"
#include "experiments/results/TrialResult.h"
#include "experiments/verdict/DeviceFit.h"
#include "profiling/store/workspace/Workspace.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// One side of a comparison.
struct ComparedRun {
    using ContentsOf = std::function<std::optional<PeakContents>(const TrialResult&)>;

    std::vector<TrialResult> results;
    /// What one of its results held at its peak: from its trace, else from its record; nothing where neither tells.
    /// Reads a trace when it is called. Throws FileError.
    ContentsOf contentsOf;
    /// Its allocated memory over time; nothing without a trace. May read all of it. Throws FileError.
    std::function<std::optional<RunTimeline>(const TrialResult&)> timelineOf{};
    OrderedJson environment = nullptr; ///< where it ran; null where that is not known, as of recordings
};

/// Of a file, as resultsInFile() reads it. Throws FileError.
ComparedRun runInFile(const std::filesystem::path& file, DeviceFit& deviceFit);

/// One trial of a workspace in one experiment; without results where it was not reached. Throws FileError.
ComparedRun runOfTrial(const std::filesystem::path& workspace, const store::ExperimentRow& experiment,
    const std::string& trialId, DeviceFit& deviceFit);

} // namespace headroom::experiments
