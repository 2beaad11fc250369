// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/ExperimentSpec.h"
#include "experiments/RunOptions.h"
#include "experiments/Sweep.h"
#include "profiling/store/Workspace.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::experiments {

/// One finished repeat on its way into the workspace.
struct RepeatEntry {
    std::size_t trial = 0; ///< index among the planned trials
    int repeat = 0;
    const protocol::RepeatResult& result;
    store::Timestamp startedAt;
    std::string environmentJson;
    std::filesystem::path spool; ///< the worker's trace; empty: none. Taken in and deleted.
};

/// One experiment in a workspace: its trials and their repeats. All functions throw FileError.
class ExperimentArchive {
public:
    /// `traceLimit`: of all traces in it (store::WorkspaceOptions); `use`: whether it is made where there is none.
    explicit ExperimentArchive(const std::filesystem::path& workspace, std::optional<Bytes> traceLimit = {},
        WorkspaceUse use = WorkspaceUse::MakeWhereMissing);

    /// Adds the experiment with its trials; or, to resume, continues the newest experiment of the same name that has
    /// all these trials.
    void begin(
        const ExperimentSpec& spec, std::span<const PlannedTrial> trials, RunMode mode, const std::string& commandLine);

    /// From now on there are results that a program which writes for long must not cost: it is waited for.
    void waitForOthers();

    /// Repeats by index that are not to be run again: completed or out of memory.
    const std::map<int, protocol::RepeatResult>& finished(std::size_t trial) const { return m_finished.at(trial); }

    void setRunning(std::size_t trial);
    /// Back to planned, after an interruption.
    void setPlanned(std::size_t trial);
    /// In one transaction; an earlier repeat of this index that failed is replaced. A spool that cannot be read in
    /// full is kept, with a row in diagnostics: it returns that remark, or what was dropped for the limit, else an
    /// empty text. Where the disk has no room for the trace it goes, and the figures are kept. Where it throws, the
    /// spool is gone.
    std::string add(const RepeatEntry& entry);
    void addRemark(const std::string& text);
    /// Keeps how the run ended, for reports made later. A run that resumed a part says nothing of the whole: the
    /// experiment then counts as not come to its end.
    void end(const std::string& summaryJson, const std::string& environmentJson);

    /// A free path for the trace of a repeat, beside the workspace.
    std::filesystem::path spoolPath(std::size_t trial, int repeat) const;
    /// Deletes a spool that is not taken in; nothing for an empty path.
    static void discardSpool(const std::filesystem::path& spool);

private:
    bool resume(const std::string& name, std::span<const PlannedTrial> trials);
    bool adopt(std::int64_t experiment, std::span<const PlannedTrial> trials);
    void readFinished();
    std::string spoolDamage(std::int64_t repeat);
    std::string keep(const RepeatEntry& entry);
    store::ImportResult takeIn(store::RepeatImport& import, std::string& problem);
    static std::string dropRemark(const store::DroppedTraces& dropped);
    std::int64_t environmentId(const std::string& json);
    void addTrials(std::span<const PlannedTrial> trials);

    store::Workspace m_workspace;
    std::int64_t m_experiment = 0;
    bool m_isPart = false;
    std::pair<std::string, std::int64_t> m_environment; ///< last text and its row id
    std::vector<std::int64_t> m_trials; ///< row ids, by index among the planned trials
    std::vector<std::map<int, protocol::RepeatResult>> m_finished;
};

} // namespace headroom::experiments
