// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/BlockList.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::config {

/// Which blocks are checkpointed, by a rule on the block's number, counted from 0; and what they keep.
struct CheckpointPolicy {
    enum class Kind { None, All, Every, Except, Blocks, Skip, Strategy, Ops };
    Kind kind = Kind::None;
    std::int64_t period =
        1; ///< N of Every and Except; for Ops: the first of every N matrix products without bias is kept
    std::int64_t phase = 0; ///< K of Every
    BlockList blocks = {}; ///< of Blocks and Skip
    std::string strategy = {}; ///< name
    bool offload = false; ///< inputs of blocks are kept in host memory

    bool operator==(const CheckpointPolicy&) const = default;
};

/// Parses `none`, `all`, `every:N`, `every:N@K`, `except:N`, `blocks:LIST`, `skip:LIST`, `strategy:NAME`, `ops`,
/// `ops:mm/N`, all but `none` optionally followed by `+offload`; throws UsageError at `where`.
CheckpointPolicy parseCheckpointing(const std::string& notation, const std::string& where);
std::string toText(const CheckpointPolicy& policy);

/// For each block of a model, whether it is checkpointed.
std::vector<bool> checkpointedBlocks(const CheckpointPolicy& policy, std::int64_t blockCount);

} // namespace headroom::config
