// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/UnsavedRun.h"

#include "experiments/archive/ExperimentArchive.h"

#include <unistd.h>

#include <system_error>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

fs::path folderForRescue(const fs::path& workspace)
{
    const fs::path beside = workspace.parent_path();
    std::error_code none;
    return ::access(beside.empty() ? "." : beside.c_str(), W_OK | X_OK) == 0 ? beside : fs::temp_directory_path(none);
}

} // namespace

void saveRun(const UnsavedRun& run, const fs::path& workspace)
{
    ExperimentArchive archive(workspace);
    archive.begin(run.spec, run.trials, RunMode::New, run.commandLine);
    archive.waitForOthers();
    for (const UnsavedRepeat& repeat : run.repeats)
        archive.add({.trial = repeat.trial,
            .repeat = repeat.repeat,
            .result = repeat.result,
            .startedAt = repeat.startedAt,
            .environmentJson = run.environmentJson,
            .spool = {}});
}

fs::path rescueFileFor(const fs::path& workspace)
{
    const fs::path folder = folderForRescue(workspace);
    const std::string stem = workspace.stem().string() + ".rescued";
    std::error_code none;
    for (int number = 1;; ++number) {
        const std::string name = stem + (number == 1 ? "" : "-" + std::to_string(number)) + ".db";
        if (!fs::exists(fs::symlink_status(folder / name, none)))
            return folder / name;
    }
}

} // namespace headroom::experiments
