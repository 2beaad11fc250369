// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/CheckpointStrategy.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Field.h"

namespace headroom::config {
namespace {

// The backward pass begins with the last block: what that block saves is needed at once, and would be in memory for its
// recomputation anyway.
CheckpointStrategy allButLast()
{
    return {"all_but_last",
        "every block but the last: its activations are needed at once, so keeping them costs next to nothing at the "
        "peak and saves its recomputation",
        [](std::int64_t index, std::int64_t blockCount) { return index + 1 < blockCount; }};
}

} // namespace

const std::vector<CheckpointStrategy>& checkpointStrategies()
{
    static const std::vector<CheckpointStrategy> strategies{allButLast()};
    return strategies;
}

std::vector<std::string> checkpointStrategyNames()
{
    std::vector<std::string> names;
    for (const CheckpointStrategy& strategy : checkpointStrategies())
        names.push_back(strategy.name);
    return names;
}

const CheckpointStrategy& findCheckpointStrategy(const std::string& name, const std::string& where)
{
    for (const CheckpointStrategy& strategy : checkpointStrategies())
        if (strategy.name == name)
            return strategy;
    const std::string hint = didYouMean(closestName(name, checkpointStrategyNames()));
    throw UsageError("unknown strategy \"" + name + "\"" + hint, where, joined(checkpointStrategyNames()));
}

} // namespace headroom::config
