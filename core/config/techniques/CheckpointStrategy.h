// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace headroom::config {

/// A named rule for which blocks are checkpointed, for choices that the other notations cannot express;
/// `strategy:NAME`. docs/techniques/checkpointing.md explains how to add one.
struct CheckpointStrategy {
    std::string name; ///< lower case with underscores
    std::string help;
    /// Whether block `index` of `blockCount` is checkpointed. Must be a pure function: it may be called any number of
    /// times.
    std::function<bool(std::int64_t index, std::int64_t blockCount)> checkpoints;
};

/// Every strategy, in the order in which they are listed.
const std::vector<CheckpointStrategy>& checkpointStrategies();
std::vector<std::string> checkpointStrategyNames();

/// Throws UsageError at `where`, naming the closest and all valid names.
const CheckpointStrategy& findCheckpointStrategy(const std::string& name, const std::string& where);

} // namespace headroom::config
