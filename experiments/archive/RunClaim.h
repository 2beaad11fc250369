// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headroom::experiments {

/// Who runs an experiment, as its claim says.
struct ClaimHolder {
    std::int64_t pid = 0;
    std::string host;
    std::int64_t sinceMs = 0; ///< since 1970, UTC
    std::string commandLine;
};

/// " by process 4711 on HOST since 2026-01-31 12:00:00 UTC", to follow what it does; "" where nobody knows.
std::string toText(const std::optional<ClaimHolder>& holder);

/// That one run and no other carries out an experiment of a workspace: a lock on a file beside the workspace
/// (`headroom.db.3.run` of experiment 3), which says who holds it. The system lets go of the lock when the process
/// ends, however it does, so a claim never has to be judged by process numbers, which are used again and mean nothing
/// in another container. The file of a run that was killed stays until the next one.
class RunClaim {
public:
    /// Nothing where another run holds it, in this process or another one. Throws FileError where the file cannot be
    /// made or locks do not work.
    static std::optional<RunClaim> take(
        const std::filesystem::path& workspace, std::int64_t experiment, const std::string& commandLine);

    /// Who holds the claim of an experiment, as far as its file can be read.
    static std::optional<ClaimHolder> holder(const std::filesystem::path& workspace, std::int64_t experiment);

    /// Whether a run that lives holds it, of whichever user. One that cannot be looked at counts as held.
    static bool isHeld(const std::filesystem::path& workspace, std::int64_t experiment);

    /// Removes the files of claims that nobody holds any more, as far as this user may.
    static void removeLeft(const std::filesystem::path& workspace);

    RunClaim(RunClaim&& other) noexcept;
    RunClaim& operator=(RunClaim&&) = delete;
    ~RunClaim(); ///< gives it back

private:
    RunClaim(std::filesystem::path path, int descriptor);
    void describe(const std::string& commandLine) const;
    static void clear(const std::filesystem::path& workspace, std::int64_t experiment);

    std::filesystem::path m_path;
    int m_descriptor = -1;
};

/// Beside a workspace means beside the file itself, whichever link it was opened by.
std::filesystem::path besideWorkspace(const std::filesystem::path& workspace, const std::string& ending);

} // namespace headroom::experiments
