// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace headroom::collectors {

/// A fixed-size queue from producers that must not wait (they hold an allocator's lock or are inside a driver call) to
/// one consumer. Never allocates after construction; entries that do not fit are dropped and counted.
///
/// Bounded queue with a sequence number per slot (D. Vyukov, "Bounded MPMC queue"): a slot whose number equals the
/// writer's position is free for it; a slot whose number is that position plus 1 holds an entry for the reader.
template <typename Entry> class EventRing {
    static_assert(std::is_copy_assignable_v<Entry> && std::is_default_constructible_v<Entry>);

public:
    /// Room for at least `capacity` entries. Writes to all slots, so that no page is touched for the first time later.
    explicit EventRing(std::size_t capacity)
        : m_places(std::bit_ceil(capacity))
    {
        for (std::size_t index = 0; index < m_places.size(); ++index)
            m_places[index].sequence.store(index, std::memory_order_relaxed);
    }

    /// From any thread. False: the queue is full, and the entry is dropped and counted.
    bool push(const Entry& entry)
    {
        std::size_t position = m_written.load(std::memory_order_relaxed);
        for (;;) {
            Place& place = placeAt(position);
            const std::size_t sequence = place.sequence.load(std::memory_order_acquire);
            if (sequence < position) {
                m_lost.fetch_add(1, std::memory_order_relaxed);
                return false;
            }
            if (sequence > position)
                position = m_written.load(std::memory_order_relaxed);
            else if (m_written.compare_exchange_weak(position, position + 1, std::memory_order_relaxed)) {
                place.entry = entry;
                place.sequence.store(position + 1, std::memory_order_release);
                return true;
            }
        }
    }

    /// Passes the available entries to `receive`, in order. From one thread at a time.
    template <typename Receive> void drain(Receive receive)
    {
        for (;;) {
            Place& place = placeAt(m_read);
            if (place.sequence.load(std::memory_order_acquire) != m_read + 1)
                return;
            const Entry entry = place.entry;
            place.sequence.store(m_read + m_places.size(), std::memory_order_release);
            ++m_read;
            receive(entry);
        }
    }

    std::int64_t lost() const { return m_lost.load(std::memory_order_relaxed); }

private:
    struct Place {
        std::atomic<std::size_t> sequence;
        Entry entry{};
    };

    Place& placeAt(std::size_t position) { return m_places[position & (m_places.size() - 1)]; }

    std::vector<Place> m_places;
    std::atomic<std::size_t> m_written = 0;
    std::atomic<std::int64_t> m_lost = 0;
    std::size_t m_read = 0;
};

} // namespace headroom::collectors
