// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/archive/KeptRepeat.h"
#include "experiments/archive/RunClaim.h"
#include "experiments/archive/RunOptions.h"
#include "experiments/archive/SpoolFiles.h"
#include "experiments/results/RunSummary.h"
#include "experiments/spec/ExperimentSpec.h"
#include "experiments/sweep/Sweep.h"
#include "experiments/verdict/DeviceFit.h"
#include "profiling/store/workspace/Workspace.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
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
    const KeptRepeat* kept = nullptr; ///< the same result, where its text is made already
};

/// Takes over, trial by trial, the repeats by index that are not to be run again: completed or out of memory.
using TakeFinished = std::function<void(std::size_t trial, std::map<int, KeptRepeat> repeats)>;

/// One experiment in a workspace: its trials and their repeats. From begin() on it is claimed: no other run continues
/// it before this one has ended. All functions throw FileError.
class ExperimentArchive {
public:
    /// `traceLimit`: of all traces in it (store::WorkspaceOptions); `use`: whether it is made where there is none.
    explicit ExperimentArchive(const std::filesystem::path& workspace, std::optional<Bytes> traceLimit = {},
        WorkspaceUse use = WorkspaceUse::MakeWhereMissing);

    /// Adds the experiment with its trials; or, to resume, continues the newest experiment of the same name that has
    /// all these trials, and throws where another run is at it. What killed runs have left beside the workspace goes.
    /// `take` gets each trial that has finished repeats as soon as they are read, so that only one is in memory.
    void begin(const ExperimentSpec& spec, std::span<const PlannedTrial> trials, RunMode mode,
        const std::string& commandLine, const TakeFinished& take = {});

    /// From now on there are results that a program which writes for long must not cost: it is waited for.
    void waitForOthers();

    void setRunning(std::size_t trial);
    /// Back to planned, after an interruption.
    void setPlanned(std::size_t trial);
    /// In one transaction; an earlier repeat of this index that failed, or whose result is damaged, is replaced. A
    /// spool that cannot be read in full is kept under another name, with a row in diagnostics; one that does not fit
    /// on the disk is given up for the result. It returns that remark, or what was dropped for the limit, else an empty
    /// text. Where it throws, the spool is gone.
    std::string add(const RepeatEntry& entry);
    void addRemark(const std::string& text);
    /// What was found damaged and is run again, for people.
    const std::vector<std::string>& damages() const { return m_damages; }
    /// Keeps how the run ended, for reports made later. A run that resumed a part ends the experiment where that was
    /// the last of it, with the counts of the whole, and leaves it as it stands where nothing of the part was to be
    /// run. Then what this run has stored is read back from the file: throws DamagedFileError where something else has
    /// written over it.
    void end(const RunSummary& summary, const std::string& environmentJson, DeviceFit& deviceFit);

    /// Its number in the workspace, from begin() on.
    std::int64_t experiment() const { return m_experiment; }

    /// A path that no other run uses for the trace of a repeat, in a folder of this run beside the workspace.
    std::filesystem::path spoolPath(std::size_t trial, int repeat) const;

private:
    void addNew(const ExperimentSpec& spec, std::span<const PlannedTrial> trials, const std::string& commandLine);
    bool resume(const std::string& name, std::span<const PlannedTrial> trials, const std::string& commandLine,
        const TakeFinished& take);
    bool adopt(std::int64_t experiment, std::span<const PlannedTrial> trials);
    void claim(const std::string& name, const std::string& commandLine);
    bool isAnyLeft(std::span<const PlannedTrial> trials, const TakeFinished& take);
    std::map<int, KeptRepeat> readFinished(std::size_t trial);
    void keepEnd(const RunSummary& summary, const std::string& environmentJson, DeviceFit& deviceFit);
    void requireKept() const;
    bool isEndOfTheWhole();
    RunSummary ofTheWhole(const RunSummary& part, DeviceFit& deviceFit);
    std::string kept(const RepeatEntry& entry, const std::string& damage) const;
    SpoolName spoolName(std::size_t trial, int repeat) const;
    std::string spoolDamage(std::int64_t repeat);
    std::string keep(const RepeatEntry& entry);
    store::ImportResult takeIn(store::RepeatImport& import, const std::string& environmentJson, std::string& problem);
    static std::string dropRemark(const store::DroppedTraces& dropped);
    std::int64_t environmentId(const std::string& json);
    void addTrials(std::span<const PlannedTrial> trials);

    store::Workspace m_workspace;
    std::int64_t m_experiment = 0;
    std::optional<RunClaim> m_claim;
    std::optional<SpoolFolder> m_spools; ///< from begin() on; goes before the claim does
    store::Timestamp m_begun; ///< tells the spools of this run from those of others
    bool m_isPart = false;
    std::pair<std::string, std::int64_t> m_environment; ///< last text and its row id
    std::vector<std::int64_t> m_trials; ///< row ids, by index among the planned trials
    std::set<std::pair<std::size_t, int>> m_damaged; ///< trials and repeats
    std::map<std::size_t, std::map<int, std::size_t>> m_stored; ///< by this run: hashes of results, by trial and repeat
    std::uintmax_t m_bytesAtBegin = 0; ///< of the workspace
    std::vector<std::string> m_damages;
};

} // namespace headroom::experiments
