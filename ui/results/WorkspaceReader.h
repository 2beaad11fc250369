// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/TrialDeletion.h"
#include "experiments/verdict/DeviceFit.h"
#include "profiling/store/workspace/Workspace.h"
#include "ui/results/ExperimentEntry.h"
#include "ui/session/ResultSet.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headroom::ui {

/// The seconds that a repeat of a trial took, including its process, by trial id.
using RepeatDurations = std::shared_ptr<const std::map<std::string, double>>;

/// What of a workspace is wanted.
struct Wanted {
    std::vector<std::int64_t> experiments = {}; ///< their numbers, to be shown together; empty: the newest
    std::set<std::string> references = {}; ///< trials that others are compared with (report::Comparison)

    bool operator==(const Wanted&) const = default;
};

/// Identifies what was read: equal marks mean that there is nothing new to read.
struct ReadMark {
    int connection = 0; ///< 0: none yet
    std::int64_t dataVersion = 0;
    Wanted wanted;

    bool operator==(const ReadMark&) const = default;
};

/// What a workspace contained at one time.
struct WorkspaceContent {
    ReadMark mark;
    Experiments experiments;
    Results results; ///< of the wanted experiments; null in a workspace without experiments
    RepeatDurations durations;
};

/// Reads a workspace for the views. Used on one background thread only; throws Error.
class WorkspaceReader {
public:
    /// If this throws, the previously open workspace stays open.
    void open(const std::filesystem::path& path);
    /// Creates a new workspace. Throws if the file exists.
    void create(const std::filesystem::path& path);

    /// Opens the workspace, or creates it together with its folder if it does not exist.
    void openOrCreate(const std::filesystem::path& path);

    void close();

    /// Reads the wanted experiments. Returns nullopt if the mark shows that the database has
    /// not changed since. If another file has replaced the open one, that file is read instead. If the file is gone,
    /// this throws store::DisplacedFileError, and the connection stays open.
    std::optional<WorkspaceContent> read(const Wanted& wanted, const ReadMark& known);

    /// Saves what can be read of the open workspace in a new one. If its file was deleted, moved or replaced, this
    /// saves what the connection still has open, not the file that replaced it. Returns a description of what was
    /// saved.
    std::string copyTo(const std::filesystem::path& target);

    /// Deletes trials of an experiment from the open workspace; with its last one the experiment.
    experiments::DeletedTrials deleteTrials(std::int64_t experiment, const std::set<std::string>& trialIds) const;

private:
    bool isInPlace() const;
    report::ReportContent contentOf(const std::vector<store::ExperimentRow>& rows, std::int64_t experiment);
    Results resultsOf(const std::vector<store::ExperimentRow>& rows, const Wanted& wanted);

    std::optional<store::Workspace> m_workspace;
    std::filesystem::path m_path; ///< of the workspace; empty if none was opened
    std::optional<store::FileId> m_file;
    int m_connection = 0;
    std::optional<experiments::DeviceFit> m_deviceFit;
};

} // namespace headroom::ui
