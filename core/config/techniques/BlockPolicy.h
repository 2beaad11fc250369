// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/BlockList.h"

#include <optional>
#include <string>

namespace headroom::config {

/// What a checkpointed block keeps beside its inputs; what a block that is not keeps.
struct BlockPolicy {
    enum class Kind {
        None, ///< all that its backward pass needs
        All, ///< its inputs only
        Ops ///< its inputs and results of expensive ops
    };
    Kind kind = Kind::None;
    std::int64_t period = 1; ///< of Ops: of every N matrix products without bias the first is kept
    std::optional<BlockList> calls = {}; ///< of Ops: the kept calls of savable ops, counted from 0; nothing: all

    bool isCheckpointed() const { return kind != Kind::None; }
    bool operator==(const BlockPolicy&) const = default;
};

/// Blocks with one policy.
struct BlockGroup {
    BlockList blocks;
    BlockPolicy policy;

    bool operator==(const BlockGroup&) const = default;
};

/// "none", "all", "ops", "ops:mm/2", "ops:calls/0-2:5".
std::string toText(const BlockPolicy& policy);

/// The same from a text; throws UsageError at `where` quoting `notation`.
BlockPolicy parseBlockPolicy(const std::string& text, const std::string& notation, const std::string& where);

/// "0-11.30=all.12-29=ops:mm/2": groups of blocks, each with its policy; blocks that are in none keep everything. The
/// canonical form has one group for each policy, in the order of their first blocks, and none for `none`.
std::vector<BlockGroup> parseBlockGroups(
    const std::string& text, const std::string& notation, const std::string& where);
std::string toText(const std::vector<BlockGroup>& groups);

/// The canonical groups of a policy for each block.
std::vector<BlockGroup> groupsOf(const std::vector<BlockPolicy>& policies);

} // namespace headroom::config
