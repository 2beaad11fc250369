// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/BlockChain.h"

#include <optional>

namespace headroom::planning {

/// The best choices found for a chain.
struct ChainPlan {
    ChainChoices choices;
    double seconds = 0; ///< of all blocks
    double provenSeconds = 0; ///< no choices within the budget take less; equal to `seconds` if these are optimal
    Bytes peakBytes = 0;

    bool isOptimal() const { return provenSeconds >= seconds; }
};

/// How thorough the search is: the most partial plans that are kept for each block. Beyond them the plan is still
/// within the budget, and `provenSeconds` says how far it may be from the best.
struct SolverEffort {
    std::size_t mostPartialPlans = 20'000;
    /// Plans that are better by less than this share of the seconds need not be found.
    double tie = 0;
};

/// The choices of least time whose peak is at most `budget`; nothing if none are.
///
/// Dynamic programming over the blocks: what blocks hold enters every constraint as a sum over a prefix of the chain,
/// so of two partial plans the one that holds no less and takes no less is of no use. Partial plans are cut where a
/// linear relaxation of the blocks to come shows that they lose against the best plan known.
std::optional<ChainPlan> leastSeconds(const BlockChain& chain, Bytes budget, SolverEffort effort = {});

/// The choices of least peak, and of those the ones of least time.
ChainPlan leastPeak(const BlockChain& chain, SolverEffort effort = {});

} // namespace headroom::planning
