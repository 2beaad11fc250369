// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/RehearsalJudge.h"

namespace headroom::experiments {

/// What was found of a command on one card.
struct FinishedRehearsal {
    RehearsedRow row; ///< with all its ranks; without what the archive adds
    RehearsedRun run; ///< of row.rank
};

/// Rehearses the command, each of its ranks in a run of its own and all of them side by side, since they may wait for
/// each other; one that ran out of memory a second time without the card's limit. `watcher` is told of the first of
/// them, on a thread of its own. Throws what runRehearsed() throws.
FinishedRehearsal rehearse(
    const RehearsalTerms& terms, const std::stop_token& stop, const RehearsalWatcher& watcher = {});

} // namespace headroom::experiments
