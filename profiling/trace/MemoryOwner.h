// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::trace {

/// The owner of a block of memory. Phase and step follow from the time of its allocation (PhaseSpan).
struct MemoryOwner {
    config::MemoryCategory category = config::MemoryCategory::Unknown;
    std::string module{}; ///< path in upstream's names, "transformer_blocks.3.ff.net.0.proj"; empty: none
    std::string technique{}; ///< key of the technique that caused it, "checkpointing"; empty: none
    std::string source{}; ///< line of an imported model's source, "modeling_llama.py:312"; empty: not known
    /// Call stack of a recording, a frame "train.py:31 main" on each line, the outermost first; empty: not known.
    std::string frames{};

    auto operator<=>(const MemoryOwner&) const = default;
};

/// Module, source line and call stack as one text, "model.layers.3.mlp@modeling_llama.py:312", as traces are stored.
/// The frames stand on lines of their own below.
std::string placeOf(const MemoryOwner& owner);
/// Sets all three from such a text.
void setPlace(MemoryOwner& owner, std::string_view place);

/// Index in the trace's table of owners.
using OwnerId = std::uint32_t;

/// The block has no known owner: MemoryOwner{}; the first entry of every table.
inline constexpr OwnerId kUnknownOwner = 0;

/// The owners of one trace, each once, numbered in the order of their first appearance.
class OwnerTable {
public:
    OwnerTable();
    /// From stored rows: `owners` must begin with the unknown one; throws UsageError if it does not.
    explicit OwnerTable(std::vector<MemoryOwner> owners);

    OwnerId idOf(const MemoryOwner& owner);
    /// The unknown owner for an id that the table does not have.
    const MemoryOwner& of(OwnerId id) const;
    std::span<const MemoryOwner> all() const { return m_owners; }

private:
    std::vector<MemoryOwner> m_owners;
    std::map<MemoryOwner, OwnerId> m_ids;
};

} // namespace headroom::trace
