// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/trace/CategoryBytes.h"

#include <map>
#include <optional>
#include <vector>

namespace headroom::recordings {

/// One value of a counter in a Chrome trace that Headroom wrote.
struct CounterValue {
    enum class Counter : std::uint8_t { Allocated, Reserved, Active, ByCategory };

    Counter counter = Counter::Allocated;
    std::int64_t timeNs = 0;
    Bytes bytes = 0;
    trace::CategoryBytes categories{}; ///< of ByCategory
};

/// Makes events of counters that tell every change of an allocator's memory: each change is one block or segment, whose
/// address nobody knows. The curves, and what they consist of, are those of the original.
class CounterEvents {
public:
    CounterEvents(DeviceRecording& device, trace::OwnerTable& owners, bool hasCategories)
        : m_device(device)
        , m_owners(owners)
        , m_hasCategories(hasCategories)
    {
    }

    void add(const CounterValue& value);

private:
    using Key = std::pair<Bytes, config::MemoryCategory>;

    void changeAllocated(Bytes difference, std::int64_t timeNs, const trace::CategoryBytes& now);
    void changeReserved(Bytes difference, std::int64_t timeNs);
    void changeCategories(const CounterValue& value);
    void tell(EventKind kind, Address address, Bytes bytes, std::int64_t timeNs, config::MemoryCategory category);
    config::MemoryCategory changedCategory(const trace::CategoryBytes& now, Bytes difference) const;

    DeviceRecording& m_device;
    trace::OwnerTable& m_owners;
    bool m_hasCategories;
    trace::MemoryCounters m_now;
    trace::CategoryBytes m_categories;
    std::optional<CounterValue> m_pending; ///< a change of allocated memory whose category comes next
    std::map<Key, std::vector<Address>> m_blocks;
    std::map<Bytes, std::vector<Address>> m_segments;
    std::map<Bytes, std::vector<Address>> m_freed; ///< given back, not yet completed
    Address m_next = Address{1} << 52;
};

} // namespace headroom::recordings
