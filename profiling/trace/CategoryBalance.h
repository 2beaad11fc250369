// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/CategoryBytes.h"

#include <vector>

namespace headroom::trace {

/// Allocated bytes by category, event by event, without knowing any block: events say whose their block is. What was
/// held before the trace is unknown until an event names its owner.
class CategoryBalance {
public:
    CategoryBalance(const OwnerTable& owners, Bytes before);

    void apply(const AllocatorEvent& event);
    /// What is known of the sum from elsewhere, after events that are lost: the difference is unknown memory.
    void settle(Bytes allocated);

    const CategoryBytes& bytes() const { return m_bytes; }
    Bytes allocated() const { return m_allocated; }

private:
    Bytes& of(OwnerId owner);

    std::vector<config::MemoryCategory> m_categories; ///< by owner
    CategoryBytes m_bytes;
    Bytes m_allocated;
};

} // namespace headroom::trace
