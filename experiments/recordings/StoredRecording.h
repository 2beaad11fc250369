// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "profiling/recordings/Recording.h"
#include "profiling/store/workspace/Workspace.h"

#include <filesystem>

namespace headroom::experiments {

/// A trial's trace as a recording that can be replayed, whether it was imported, measured or simulated here. The
/// settings are the trial's. Throws FileError.
recordings::Recording storedRecording(store::Workspace& workspace, const store::TrialRow& trial, std::int64_t repeat,
    const std::filesystem::path& resources);

} // namespace headroom::experiments
