// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/TrialDeletion.h"

#include "core/base/Error.h"
#include "experiments/archive/RunClaim.h"
#include "profiling/store/workspace/Workspace.h"

#include <vector>

namespace headroom::experiments {

DeletedTrials deleteTrials(
    const std::filesystem::path& workspace, std::int64_t experiment, const std::set<std::string>& trialIds)
{
    store::Workspace stored = store::Workspace::open(workspace, store::Access::ReadWrite);
    // Held until the end, so that no run continues what is being taken away.
    const auto claim = RunClaim::take(stored.path(), experiment, "deleting trials");
    if (!claim)
        throw FileError("experiment " + std::to_string(experiment) + " is being run"
                + toText(RunClaim::holder(stored.path(), experiment)),
            stored.path().string(), "trials of an experiment that is not running");
    const std::vector<store::TrialRow> rows = stored.trials(experiment);
    std::vector<std::int64_t> chosen;
    for (const store::TrialRow& row : rows)
        if (trialIds.contains(row.trialId))
            chosen.push_back(row.id);
    const bool isLast = !chosen.empty() && chosen.size() == rows.size();
    if (isLast)
        stored.deleteExperiment(experiment);
    else
        stored.deleteTrials(chosen);
    return {static_cast<std::int64_t>(chosen.size()), isLast};
}

} // namespace headroom::experiments
