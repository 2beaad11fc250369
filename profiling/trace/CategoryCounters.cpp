// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/CategoryCounters.h"

#include "profiling/trace/Columns.h"

namespace headroom::trace {

OwnerCategories::OwnerCategories(std::span<const MemoryOwner> owners)
{
    for (const MemoryOwner& owner : owners)
        m_categories.push_back(owner.category);
}

void OwnerCategories::set(OwnerId owner, config::MemoryCategory category)
{
    if (owner >= m_categories.size())
        m_categories.resize(std::size_t{owner} + 1, config::MemoryCategory::Unknown);
    m_categories[owner] = category;
}

CategoryCounters CategoryCounters::ofUnknown(Bytes allocated)
{
    CategoryCounters counters{.allocated = allocated};
    counters.categories.of(config::MemoryCategory::Unknown) = allocated;
    return counters;
}

CategoryCounters CategoryCounters::of(const CategoryBytes& categories)
{
    CategoryCounters counters{.categories = categories};
    for (const Bytes bytes : categories.bytes)
        counters.allocated = wrappingAdd(counters.allocated, bytes);
    return counters;
}

void CategoryCounters::settle(Bytes sum)
{
    Bytes& unknown = categories.of(config::MemoryCategory::Unknown);
    unknown = wrappingAdd(unknown, wrappingDelta(allocated, sum));
    allocated = sum;
}

void CategoryCounters::apply(const AllocatorEvent& event, const OwnerCategories& owners)
{
    if (!isMovedBy(event.action))
        return;
    Bytes& bytes = categories.of(owners.of(event.owner));
    if (event.action == Action::FreeRequested) {
        allocated = wrappingDelta(event.bytes, allocated);
        bytes = wrappingDelta(event.bytes, bytes);
        return;
    }
    bytes = wrappingAdd(bytes, event.bytes);
    if (event.action == Action::Alloc) {
        allocated = wrappingAdd(allocated, event.bytes);
        return;
    }
    Bytes& previous = categories.of(owners.of(event.previousOwner));
    previous = wrappingDelta(event.bytes, previous);
}

} // namespace headroom::trace
