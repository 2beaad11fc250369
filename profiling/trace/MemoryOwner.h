// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace headroom::trace {

/// Whose a block of memory is. Phase and step follow from the time of its allocation (PhaseSpan).
struct MemoryOwner {
    config::MemoryCategory category = config::MemoryCategory::Unknown;
    std::string module{}; ///< path in upstream's words, "transformer_blocks.3.ff.net.0.proj"; empty: none
    std::string technique{}; ///< key of the technique that caused it, "checkpointing"; empty: none

    auto operator<=>(const MemoryOwner&) const = default;
};

/// Place in the trace's table of owners.
using OwnerId = std::uint32_t;

/// Nobody claimed it: MemoryOwner{}; the first of every table.
inline constexpr OwnerId kUnknownOwner = 0;

/// The owners of one trace, each once, numbered in the order of their first appearance.
class OwnerTable {
public:
    OwnerTable();
    /// Of stored rows: `owners` begins with the unknown one. Throws UsageError where it does not.
    explicit OwnerTable(std::vector<MemoryOwner> owners);

    OwnerId idOf(const MemoryOwner& owner);
    /// An id that the table does not have is nobody's.
    const MemoryOwner& of(OwnerId id) const;
    std::span<const MemoryOwner> all() const { return m_owners; }

private:
    std::vector<MemoryOwner> m_owners;
    std::map<MemoryOwner, OwnerId> m_ids;
};

} // namespace headroom::trace
