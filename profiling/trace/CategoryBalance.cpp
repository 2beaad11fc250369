// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/CategoryBalance.h"

namespace headroom::trace {

using config::MemoryCategory;

CategoryBalance::CategoryBalance(const OwnerTable& owners, Bytes before)
    : m_allocated(before)
{
    for (const MemoryOwner& owner : owners.all())
        m_categories.push_back(owner.category);
    m_bytes.of(MemoryCategory::Unknown) = before;
}

Bytes& CategoryBalance::of(OwnerId owner)
{
    return m_bytes.of(owner < m_categories.size() ? m_categories[owner] : MemoryCategory::Unknown);
}

void CategoryBalance::apply(const AllocatorEvent& event)
{
    if (event.action == Action::Alloc) {
        of(event.owner) += event.bytes;
        m_allocated += event.bytes;
    } else if (event.action == Action::FreeRequested) {
        of(event.owner) -= event.bytes;
        m_allocated -= event.bytes;
    } else if (event.action == Action::Relabelled) {
        of(event.previousOwner) -= event.bytes;
        of(event.owner) += event.bytes;
    }
}

void CategoryBalance::settle(Bytes allocated)
{
    m_bytes.of(MemoryCategory::Unknown) += allocated - m_allocated;
    m_allocated = allocated;
}

} // namespace headroom::trace
