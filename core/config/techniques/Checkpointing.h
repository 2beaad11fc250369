// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"
#include "core/config/techniques/BlockList.h"

namespace headroom::config {

/// Which blocks are checkpointed: a rule on the block's number, counted from 0.
struct CheckpointPolicy {
    enum class Kind { None, All, Every, Except, Blocks, Skip, Strategy };
    Kind kind = Kind::None;
    std::int64_t period = 1; ///< N of Every and Except
    std::int64_t phase = 0; ///< K of Every
    BlockList blocks = {}; ///< of Blocks and Skip
    std::string strategy = {}; ///< name

    bool operator==(const CheckpointPolicy&) const = default;
};

/// Parses `none`, `all`, `every:N`, `every:N@K`, `except:N`, `blocks:LIST`, `skip:LIST`, `strategy:NAME`; throws
/// UsageError at `where`.
CheckpointPolicy parseCheckpointing(const std::string& notation, const std::string& where);
std::string toText(const CheckpointPolicy& policy);

/// For each block of a model whether it is checkpointed.
std::vector<bool> checkpointedBlocks(const CheckpointPolicy& policy, std::int64_t blockCount);

/// Blocks that keep their inputs only and run again in the backward pass.
TechniqueDescriptor checkpointingDescriptor();

} // namespace headroom::config
