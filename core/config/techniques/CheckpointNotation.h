// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/techniques/BlockPolicy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::config {

/// Which blocks are checkpointed, by a rule on the block's number, counted from 0; and what they keep.
struct CheckpointPolicy {
    enum class Kind { None, All, Every, Except, Blocks, Skip, Strategy, Ops, Mixed, Budget };
    Kind kind = Kind::None;
    std::int64_t period =
        1; ///< N of Every and Except; for Ops: the first of every N matrix products without bias is kept
    std::int64_t phase = 0; ///< K of Every
    BlockList blocks = {}; ///< of Blocks and Skip
    std::optional<BlockList> calls = {}; ///< of Ops: the kept calls of savable ops; nothing: all
    std::vector<BlockGroup> groups = {}; ///< of Mixed: canonical, not empty
    Bytes budget = 0; ///< of Budget: what a step's peak of allocated memory may not exceed
    std::string strategy = {}; ///< name
    bool offload = false; ///< inputs of blocks are kept in host memory

    bool operator==(const CheckpointPolicy&) const = default;
};

/// Parses `none`, `all`, `every:N`, `every:N@K`, `except:N`, `blocks:LIST`, `blocks:LIST=POLICY…`, `skip:LIST`,
/// `strategy:NAME`, `ops`, `ops:mm/N`, `ops:calls/LIST`, `budget:SIZE`, all but `none` optionally followed by
/// `+offload`; throws UsageError at `where`.
CheckpointPolicy parseCheckpointing(const std::string& notation, const std::string& where);
std::string toText(const CheckpointPolicy& policy);

/// The bytes of `budget:SIZE`, which has to be planned before a trial runs; nothing for every other notation.
std::optional<Bytes> budgetOf(const std::string& notation);

/// For each block of a model, what it keeps. Of a budget, which says it once it was planned: nothing but its inputs.
std::vector<BlockPolicy> blockPolicies(const CheckpointPolicy& policy, std::int64_t blockCount);
/// The policy in which each block does that; `offload` as given.
CheckpointPolicy policyOf(const std::vector<BlockPolicy>& policies, bool offload);

/// For each block of a model, whether it is checkpointed.
std::vector<bool> checkpointedBlocks(const CheckpointPolicy& policy, std::int64_t blockCount);

} // namespace headroom::config
