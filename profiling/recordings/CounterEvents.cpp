// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/CounterEvents.h"

#include <algorithm>

namespace headroom::recordings {
namespace {

using config::MemoryCategory;

// The last one of a size; 0 where there is none.
template <typename Places, typename Key> Address takenFrom(Places& places, const Key& key)
{
    const auto found = places.find(key);
    if (found == places.end() || found->second.empty())
        return 0;
    const Address address = found->second.back();
    found->second.pop_back();
    return address;
}

} // namespace

void CounterEvents::add(const CounterValue& value)
{
    using enum CounterValue::Counter;
    if (value.counter == ByCategory)
        return changeCategories(value);
    if (value.counter == Reserved)
        return changeReserved(value.bytes - m_now.reserved, value.timeNs);
    if (value.counter == Active) { // told of a change of allocated memory too, which comes first
        if (!m_pending && value.bytes < m_now.active) {
            const Bytes bytes = m_now.active - value.bytes;
            tell(EventKind::FreeCompleted, takenFrom(m_freed, bytes), bytes, value.timeNs, MemoryCategory::Unknown);
        }
        return;
    }
    if (m_hasCategories)
        m_pending = value;
    else
        changeAllocated(value.bytes - m_now.allocated, value.timeNs, {});
}

void CounterEvents::changeAllocated(Bytes difference, std::int64_t timeNs, const trace::CategoryBytes& now)
{
    if (difference == 0)
        return;
    const Bytes bytes = std::abs(difference);
    const MemoryCategory category = m_hasCategories ? changedCategory(now, difference) : MemoryCategory::Unknown;
    if (difference > 0) {
        m_blocks[{bytes, category}].push_back(m_next);
        tell(EventKind::Alloc, m_next, bytes, timeNs, category);
        m_next += static_cast<Address>(roundUp(bytes, kMiB));
        return;
    }
    const Address address = takenFrom(m_blocks, Key{bytes, category});
    m_freed[bytes].push_back(address);
    tell(EventKind::FreeRequested, address, bytes, timeNs, category);
}

void CounterEvents::changeReserved(Bytes difference, std::int64_t timeNs)
{
    const Bytes bytes = std::abs(difference);
    if (difference > 0) {
        m_segments[bytes].push_back(m_next);
        tell(EventKind::SegmentAlloc, m_next, bytes, timeNs, MemoryCategory::Unknown);
        m_next += static_cast<Address>(roundUp(bytes, kMiB));
    } else if (difference < 0) {
        tell(EventKind::SegmentFree, takenFrom(m_segments, bytes), bytes, timeNs, MemoryCategory::Unknown);
    }
}

// Without a change of allocated memory a block changed its owner.
void CounterEvents::changeCategories(const CounterValue& value)
{
    if (m_pending) {
        const CounterValue allocated = *m_pending;
        m_pending.reset();
        changeAllocated(allocated.bytes - m_now.allocated, allocated.timeNs, value.categories);
    } else {
        std::optional<MemoryCategory> from;
        std::optional<MemoryCategory> to;
        Bytes bytes = 0;
        for (const MemoryCategory category : config::kMemoryCategories) {
            const Bytes change = value.categories.of(category) - m_categories.of(category);
            if (change > 0) {
                to = category;
                bytes = change;
            } else if (change < 0) {
                from = category;
            }
        }
        if (from && to) {
            const Address address = takenFrom(m_blocks, Key{bytes, *from});
            m_blocks[{bytes, *to}].push_back(address);
            tell(EventKind::Relabelled, address, bytes, value.timeNs, *to);
            m_device.events.back().previousOwner = m_owners.idOf({.category = *from});
        }
    }
    m_categories = value.categories;
}

MemoryCategory CounterEvents::changedCategory(const trace::CategoryBytes& now, Bytes difference) const
{
    for (const MemoryCategory category : config::kMemoryCategories)
        if (now.of(category) - m_categories.of(category) == difference)
            return category;
    return MemoryCategory::Unknown;
}

void CounterEvents::tell(EventKind kind, Address address, Bytes bytes, std::int64_t timeNs, MemoryCategory category)
{
    const trace::OwnerId owner = m_owners.idOf({.category = category});
    const RecordedEvent event{address, bytes, isOfBlock(kind) ? bytes : 0, timeNs, 0, owner, kind};
    m_now.apply({timeNs, address, bytes, bytes, 0, static_cast<trace::Action>(kind)});
    m_device.events.push_back(event);
}

} // namespace headroom::recordings
