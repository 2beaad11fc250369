// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"

#include <cstdint>
#include <string_view>

namespace headroom::tensor {

/// Index of a module's path in the active attribution.
using ModuleId = std::uint32_t;
inline constexpr ModuleId kNoModule = 0;

/// The owner of a block of memory, small enough to be determined at every allocation.
struct MemoryLabel {
    config::MemoryCategory category = config::MemoryCategory::Unknown;
    ModuleId module = kNoModule;
    std::string_view technique{}; ///< key of the technique that caused it, a literal; empty: none

    bool operator==(const MemoryLabel&) const = default;
};

/// A change of the label of a live block. Storages are shared, so the effect depends on the present label.
struct LabelChange {
    enum class Rule : std::uint8_t {
        Claim, ///< takes the label; of several tensors of one category in the storage, the first sets the module
        ClaimPassing, ///< the same for a block without a permanent claim: a gradient may lie in memory that has one
        Keep, ///< a temporary is kept for later: takes the label's category, and its technique if it has one
        Drop ///< what was kept becomes a temporary again
    };
    MemoryLabel label{};
    Rule rule = Rule::Claim;
};

/// The label of a block after the change.
MemoryLabel changed(const MemoryLabel& present, const LabelChange& change);

} // namespace headroom::tensor
