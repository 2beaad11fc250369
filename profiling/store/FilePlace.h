// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace headroom::store {

/// Where a file is stored, as far as it matters to a database.
struct FilePlace {
    std::string network; ///< kind of a file system that other machines may share ("NFS"); empty: none detected
    std::string synchronisedBy; ///< program that copies the folder to other machines ("Dropbox"); empty: none detected

    /// What a user should know about it, as a sentence; empty if there is nothing.
    std::string caution() const;
};

/// The place of a file that exists or is to be created. Opens nothing.
FilePlace placeOf(const std::filesystem::path& path);

/// Why locks are unreliable in a folder, tested with a temporary file; empty if they work, and if no file can be
/// created there (whoever creates the real file reports that).
std::string lockingProblem(const std::filesystem::path& folder);

/// Throws FileError if a file system that other machines may share has no working locks: two writers would then destroy
/// a database. Local file systems are not tested.
void requireLocks(const std::filesystem::path& path);

} // namespace headroom::store
