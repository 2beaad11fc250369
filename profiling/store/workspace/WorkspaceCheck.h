// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::store {

/// Sound; Noteworthy: it can be used, and a user should know this; Broken: it cannot be used as it is.
enum class Soundness { Sound, Noteworthy, Broken };

/// What was found out about one thing.
struct WorkspaceFinding {
    std::string check; ///< "integrity"
    Soundness soundness = Soundness::Sound;
    std::string found;
    std::string meaning; ///< what follows from it; empty where nothing does
};

/// Looks at a workspace as a whole: that it can be opened, its version, SQLite's own check of every page, references,
/// results, checksums of traces, and the file system that it is on. Reads all of the file and changes nothing. Never
/// throws FileError: what cannot be read is a finding.
std::vector<WorkspaceFinding> checkWorkspace(const std::filesystem::path& path);

} // namespace headroom::store
