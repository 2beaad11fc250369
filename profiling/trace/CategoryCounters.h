// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/CategoryBytes.h"

#include <span>
#include <vector>

namespace headroom::trace {

/// The category of every owner of a trace, indexed by the owner's number.
class OwnerCategories {
public:
    OwnerCategories() = default;
    explicit OwnerCategories(std::span<const MemoryOwner> owners);

    void set(OwnerId owner, config::MemoryCategory category);
    /// Unknown for an owner that was never added.
    config::MemoryCategory of(OwnerId owner) const
    {
        return owner < m_categories.size() ? m_categories[owner] : config::MemoryCategory::Unknown;
    }

private:
    std::vector<config::MemoryCategory> m_categories;
};

/// The categories of allocated memory at one instant. They sum to `allocated`; both wrap around instead of overflowing,
/// so that damaged data is harmless.
struct CategoryCounters {
    Bytes allocated = 0;
    CategoryBytes categories{};

    /// All of it has an unknown owner: for a trace that begins with memory already allocated.
    static CategoryCounters ofUnknown(Bytes allocated);
    static CategoryCounters of(const CategoryBytes& categories);

    /// Whether an event of this kind moves bytes into, out of or between categories.
    static bool isMovedBy(Action action)
    {
        return action == Action::Alloc || action == Action::FreeRequested || action == Action::Relabelled;
    }
    void apply(const AllocatorEvent& event, const OwnerCategories& owners);
    /// Sets the sum to a value known from elsewhere, after lost events: the difference becomes unknown memory.
    void settle(Bytes sum);

    bool operator==(const CategoryCounters&) const = default;
};

} // namespace headroom::trace
