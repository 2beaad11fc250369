// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// What a spool beside a workspace is there for.
enum class SpoolState {
    InUse, ///< a run that lives has its worker write it
    Left, ///< its run was killed: nobody will read it
    Kept, ///< could not be taken in, and stays for people to look at
    Unknown ///< of a version that did not say whose it is
};

struct SpoolFile {
    std::filesystem::path path; ///< of a run: a folder with all of its spools
    SpoolState state = SpoolState::Unknown;
    std::int64_t experiment = 0; ///< 0: unknown
    std::int64_t pid = 0; ///< of the run; 0: unknown
    Bytes bytes = 0; ///< with journals and whatever else its worker wrote
};

/// The folder in which the workers of one run may write, `headroom.db.3.4711-1763829600123.spools`: of experiment 3,
/// for the process 4711 whose run began at that time (in ms). It is made by the first spool and removed with all in it.
class SpoolFolder {
public:
    SpoolFolder(
        const std::filesystem::path& workspace, std::int64_t experiment, std::int64_t pid, std::int64_t sinceMs);
    ~SpoolFolder();
    SpoolFolder(const SpoolFolder&) = delete;
    SpoolFolder& operator=(const SpoolFolder&) = delete;

    /// Where the trace of a repeat goes.
    std::filesystem::path spool(std::int64_t trial, int repeat) const;

private:
    std::filesystem::path m_path;
};

/// Whose spool it is that is kept.
struct SpoolName {
    std::int64_t experiment = 0;
    std::int64_t trial = 0;
    int repeat = 0;
};

/// Deletes a spool and the files that belong to it; nothing for an empty path.
void discardSpool(const std::filesystem::path& spool);

/// Where a spool of that repeat stays that cannot be taken in.
std::filesystem::path keptSpoolPath(const std::filesystem::path& workspace, const SpoolName& name);

/// Gives a spool the name under which it stays; one that was kept there goes.
void keepSpool(const std::filesystem::path& spool, const std::filesystem::path& kept);

/// All spools beside a workspace, by path.
std::vector<SpoolFile> spoolsBeside(const std::filesystem::path& workspace);

/// Deletes the spools, and what else a run that was killed has left beside the workspace. Returns what that frees.
Bytes removeLeftFiles(const std::filesystem::path& workspace);

/// Deletes a spool when the scope ends: whatever happens to a repeat, what was not taken in or kept is not left.
class SpoolGuard {
public:
    explicit SpoolGuard(std::filesystem::path spool)
        : m_spool(std::move(spool))
    {
    }
    ~SpoolGuard() { discardSpool(m_spool); }
    SpoolGuard(const SpoolGuard&) = delete;
    SpoolGuard& operator=(const SpoolGuard&) = delete;

private:
    std::filesystem::path m_spool;
};

} // namespace headroom::experiments
