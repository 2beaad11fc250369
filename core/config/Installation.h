// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace headroom::config {

/// Version of this build, "0.1.0".
std::string version();

/// Folder of the running program.
std::filesystem::path programDirectory();

/// Folder with devices/, runtimes/ and presets/: HEADROOM_RESOURCES, else ../share/headroom beside the program's folder
/// (the build tree has the same layout as an installation). Throws FileError if it does not exist.
std::filesystem::path resourceDirectory();

/// The substitute for the CUDA runtime that a rehearsal loads before the worker, for the CUDA of the linked LibTorch:
/// HEADROOM_CARD_LIBRARIES, else ../lib/headroom-card/cudaN beside the program's folder. Throws FileError if it does
/// not exist.
std::filesystem::path cardDirectory();

/// headroom-worker: HEADROOM_WORKER, else the file beside the running program. Throws FileError if it does not exist.
std::filesystem::path workerProgram();

} // namespace headroom::config
