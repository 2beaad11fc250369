// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/verdict/DeviceFit.h"
#include "profiling/store/workspace/Workspace.h"
#include "ui/results/ExperimentEntry.h"
#include "ui/session/ResultSet.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace headroom::ui {

/// Seconds that a repeat of a trial took, its process included; by trial id.
using RepeatDurations = std::shared_ptr<const std::map<std::string, double>>;

/// Which content of which connection was read for whom: equal where there is nothing new to read.
struct ReadMark {
    int connection = 0; ///< 0: none yet
    std::int64_t dataVersion = 0;
    std::optional<std::int64_t> wanted;

    bool operator==(const ReadMark&) const = default;
};

/// What is known of a workspace at one time.
struct WorkspaceContent {
    ReadMark mark;
    Experiments experiments;
    Results results; ///< of the wanted experiment; null in a workspace without experiments
    RepeatDurations durations;
};

/// Reads a workspace for the views. Belongs to the background thread on which it is used; throws Error.
class WorkspaceReader {
public:
    /// Where it throws, the workspace that was open stays so.
    void open(const std::filesystem::path& path);
    /// Makes a new workspace. Refuses a file that is there.
    void create(const std::filesystem::path& path);

    /// Whichever the file needs; its folder is made, too.
    void openOrCreate(const std::filesystem::path& path);

    void close();

    /// The experiment of this number, or the newest. Nothing where that is what the mark says: the database has not
    /// changed since. A file that was put in the place of the one that is open is read instead. Where that is gone,
    /// throws store::DisplacedFileError, and what is open stays so.
    std::optional<WorkspaceContent> read(std::optional<std::int64_t> wanted, const ReadMark& known);

    /// Saves what can be read of the open workspace in a new one. Where its file was deleted, moved or replaced, that
    /// is what the connection has open still, and nothing of the file in its place. Returns in words what was saved.
    std::string copyTo(const std::filesystem::path& target);

private:
    bool isInPlace() const;
    Results resultsOf(const std::vector<store::ExperimentRow>& rows, std::optional<std::int64_t> wanted);

    std::optional<store::Workspace> m_workspace;
    std::filesystem::path m_path; ///< of the workspace; empty: none was opened
    std::optional<store::FileId> m_file;
    int m_connection = 0;
    std::optional<experiments::DeviceFit> m_deviceFit;
};

} // namespace headroom::ui
