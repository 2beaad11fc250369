// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"
#include "experiments/results/TrialResult.h"
#include "experiments/verdict/DeviceFit.h"
#include "profiling/recordings/Recording.h"
#include "profiling/store/workspace/Workspace.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What a file of results holds.
enum class SideFile { Workspace, Document, Lines, Recording };

/// Told by the content.
SideFile kindOfSide(const std::filesystem::path& file);

/// The results of a recording: a trial for each device, in their order.
std::vector<TrialResult> resultsOfRecording(const recordings::Recording& recording, const std::string& name);

/// What a workspace has on one side of a comparison.
struct WorkspaceResults {
    std::vector<TrialResult> trials;
    OrderedJson environment = nullptr; ///< of the newest experiment that was read
};

/// The results in a workspace: of each trial id those of the newest experiment that has reached it, in the order of the
/// experiments, the newest first. Throws FileError.
WorkspaceResults resultsInWorkspace(store::Workspace& workspace, DeviceFit& deviceFit);

/// The results of one trial in one experiment; none where it was not reached. Throws FileError.
WorkspaceResults resultsOfTrial(store::Workspace& workspace, const store::ExperimentRow& experiment,
    const std::string& trialId, DeviceFit& deviceFit);

/// The results in a file: a workspace, what `headroom run --format json|jsonl` printed, or a recording of another
/// program (a trial for each device, without speed). Told by the content. Throws FileError, naming the file.
std::vector<TrialResult> resultsInFile(const std::filesystem::path& file, DeviceFit& deviceFit);

} // namespace headroom::experiments
