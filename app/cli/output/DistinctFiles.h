// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::cli {

/// The files that one command reads and writes. None that is written may be another one of them, under whatever name:
/// hard and symbolic links lead to the same file, and so do two ways to spell a path.
class DistinctFiles {
public:
    /// A file that is read: nothing may be written there. `what` as in "the spec".
    void keep(const std::filesystem::path& file, const std::string& what);
    /// With what SQLite and the collectors of traces keep beside it.
    void keepWorkspace(const std::filesystem::path& file);
    /// A model's weights: a file, an index with its shards, or a folder with all files in it.
    void keepWeights(const std::filesystem::path& fileOrFolder);

    /// A file that will be written because `flag` says so. Throws UsageError where it is one of the files before.
    void write(const std::string& flag, const std::filesystem::path& file);

private:
    struct NamedFile {
        std::filesystem::path path;
        std::string what;
    };

    void requireOutsideOf(const NamedFile& workspace, const std::string& flag, const std::filesystem::path& file) const;

    std::vector<NamedFile> m_files;
    std::vector<NamedFile> m_workspaces;
};

/// Whether two paths lead to the same file, or will where there is none yet. Devices are no files: what is written
/// there does not replace anything.
bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

} // namespace headroom::cli
