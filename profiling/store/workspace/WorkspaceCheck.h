// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::store {

/// Sound; Noteworthy: usable, with something that a user should know; Broken: unusable as it is.
enum class Soundness { Sound, Noteworthy, Broken };

/// The result of one check.
struct WorkspaceFinding {
    std::string check; ///< "integrity"
    Soundness soundness = Soundness::Sound;
    std::string found;
    std::string meaning; ///< what follows from it; empty if nothing does
};

/// Checks a whole workspace: that it can be opened, its version, SQLite's own check of every page, references, results,
/// checksums of traces, and its file system. Reads the whole file and changes nothing. Never throws FileError:
/// unreadable data is a finding.
std::vector<WorkspaceFinding> checkWorkspace(const std::filesystem::path& path);

} // namespace headroom::store
