// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace headroom::store {

/// Where a file lies, as far as a database has to care.
struct FilePlace {
    std::string network; ///< kind of a file system that other machines may share ("NFS"); empty: none that is known
    std::string synchronisedBy; ///< program that copies the folder to other machines ("Dropbox"); empty: none known

    /// What a user should know, in a sentence; empty where there is nothing.
    std::string caution() const;
};

/// Of a file that is there or is to be made. Opens nothing.
FilePlace placeOf(const std::filesystem::path& path);

/// Why locks cannot be relied on in a folder, tried with a file that is gone afterwards; empty where they work, and
/// where no file can be made there (which is told by whoever makes the real one).
std::string lockingProblem(const std::filesystem::path& folder);

/// Throws FileError where a file system that other machines may share has no locks that work: two writers would then
/// destroy a database. Local ones are not tried.
void requireLocks(const std::filesystem::path& path);

} // namespace headroom::store
