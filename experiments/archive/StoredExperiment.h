// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/results/OrderedJson.h"
#include "experiments/sweep/Sweep.h"
#include "profiling/store/traces/Rows.h"
#include "profiling/store/workspace/Workspace.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A repeat that is in the workspace.
struct StoredRepeat {
    std::int64_t id = 0; ///< of its row: the key to its trace
    int index = 0;
    protocol::RepeatResult result;
    /// Why the result that is stored cannot be read; empty: it can. `result` then is a failure that says so.
    std::string damage{};

    bool isDamaged() const { return !damage.empty(); }
};

/// Never throws for what stands in the row: a damaged result costs itself and not the experiment.
StoredRepeat readRepeat(const store::RepeatRow& row);

/// A trial as it was planned, with the repeats that are there so far.
struct StoredTrial {
    PlannedTrial planned; ///< without its timeout, which is not stored
    int expectedRepeats = 1;
    std::vector<StoredRepeat> repeats;

    /// A trial that is skipped has one repeat that says so.
    bool isReached() const { return !repeats.empty(); }
    /// Of the repeats; without those whose result is damaged, where others are there.
    std::vector<protocol::RepeatResult> results() const;
};

/// What a workspace knows about an experiment.
struct StoredExperiment {
    store::ExperimentRow row;
    std::vector<StoredTrial> trials; ///< in the order of the sweep
    OrderedJson environment = nullptr; ///< of its last run; null where no repeat has ended or its row is damaged
    OrderedJson summary = nullptr; ///< of its last run; null where that has not come to its end or is damaged
    std::vector<OrderedJson> environments; ///< distinct ones that repeats ran in, that one included
    std::vector<store::DiagnosticRow> diagnostics; ///< those that are stored, and one for each damaged row
};

/// Opens a workspace for reading; brings one of an older format up to date first. Throws FileError.
store::Workspace openForReading(const std::filesystem::path& workspace);

/// The newest experiment of this name, or the one with this number; of an empty text the newest of all. Throws
/// FileError for a workspace without experiments, UsageError, naming `where` and those that there are, for one that is
/// not among them.
store::ExperimentRow chooseExperiment(
    store::Workspace& workspace, const std::string& nameOrId, const std::string& where);

/// A result, summary or environment that is damaged costs itself: the others are read, and `diagnostics` names it.
/// Throws FileError where what was planned cannot be understood.
StoredExperiment readExperiment(store::Workspace& workspace, const store::ExperimentRow& row);

/// Takes over a trial as soon as it is read.
using TakeTrial = std::function<void(StoredTrial&& trial)>;

/// The same with one trial in memory at a time: each is handed over, and `trials` stays empty.
StoredExperiment readExperiment(store::Workspace& workspace, const store::ExperimentRow& row, const TakeTrial& take);

} // namespace headroom::experiments
