// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/base/Outcome.h"
#include "profiling/recordings/Recording.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Where a recording goes.
struct ImportRequest {
    std::filesystem::path file; ///< that it was read from
    std::filesystem::path workspace; ///< made where there is none
    std::string name; ///< of the experiment; empty: the file's
    std::string commandLine;
    /// Called now and then with the share that has been written. What it throws ends the import, and leaves nothing of
    /// it in the workspace.
    std::function<void(double share)> progress{};
};

/// One device of a recording, as a trial of the workspace.
struct ImportedTrial {
    std::string trialId;
    std::string label;
    std::string device;
    std::string allocator; ///< empty: PyTorch's own settings
    bool isPredicted = false;
    Outcome outcome = Outcome::Completed;
    std::int64_t events = 0; ///< without those that stand for what was there before
    Bytes peakAllocatedBytes = 0;
    std::optional<Bytes> peakReservedBytes; ///< nothing where the file does not tell of reserved memory
};

struct ImportedExperiment {
    std::int64_t number = 0; ///< in the workspace
    std::string name;
    std::vector<ImportedTrial> trials;
    std::vector<std::string> remarks;
};

/// Adds a recording to a workspace as an experiment of its own, a trial for each device, with the trace as if it had
/// been recorded here. Recordings have no model, no workload and no speed. Throws FileError, and UsageError for a
/// recording of nothing.
ImportedExperiment importRecording(const recordings::Recording& recording, const ImportRequest& request);

} // namespace headroom::experiments
