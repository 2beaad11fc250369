// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::experiments {

/// A file of a ghost: what it seems to take, and what it takes.
struct GhostFile {
    std::string name; ///< below the folder
    Bytes bytes = 0;
    Bytes diskBytes = 0;
};

/// A new folder, there as a whole or not at all: it is filled under another name beside the target, and commit() gives
/// it its own. What a process that was killed has left under such a name is removed. Every function throws FileError.
class GhostFolder {
public:
    /// The target must not exist yet. Throws FileError, too, where the file system has no holes.
    explicit GhostFolder(const std::filesystem::path& target);
    /// Removes everything unless it was committed.
    ~GhostFolder();
    GhostFolder(const GhostFolder&) = delete;
    GhostFolder& operator=(const GhostFolder&) = delete;

    void write(const std::string& name, std::string_view text);
    /// A file that begins with `head` and goes on with a hole, which reads as zeros.
    void writeHollow(const std::string& name, std::string_view head, Bytes hole);
    void commit();

    /// In the order in which they were written.
    const std::vector<GhostFile>& files() const { return m_files; }

private:
    void requireHoles();

    std::filesystem::path m_target;
    std::filesystem::path m_part;
    int m_lock = -1; ///< says that somebody is at it, in whichever container
    std::vector<GhostFile> m_files;
    bool m_isCommitted = false;
};

} // namespace headroom::experiments
