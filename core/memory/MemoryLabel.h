// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"

#include <cstdint>
#include <string_view>

namespace headroom::tensor {

/// Number of a module's path in the attribution that is active.
using ModuleId = std::uint32_t;
inline constexpr ModuleId kNoModule = 0;

/// Whose a block of memory is, small enough to be worked out at every allocation.
struct MemoryLabel {
    config::MemoryCategory category = config::MemoryCategory::Unknown;
    ModuleId module = kNoModule;
    std::string_view technique{}; ///< key of the technique that caused it, a literal; empty: none

    bool operator==(const MemoryLabel&) const = default;
};

/// What has become known of a live block. Storages are shared, so what it is known as already decides.
struct LabelChange {
    enum class Rule : std::uint8_t {
        Claim, ///< is the label's; the first of several tensors of one category in one storage gives it its module
        ClaimPassing, ///< the same of a block that nobody claimed for good: a gradient may lie in memory that has one
        Keep, ///< a temporary is kept for later: the label's category, and its technique where it has one
        Drop ///< what was kept is no more than a temporary again
    };
    MemoryLabel label{};
    Rule rule = Rule::Claim;
};

/// The label of a block after the change.
MemoryLabel changed(const MemoryLabel& present, const LabelChange& change);

} // namespace headroom::tensor
