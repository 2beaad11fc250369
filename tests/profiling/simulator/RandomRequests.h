// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/OutOfMemory.h"

#include <random>
#include <string>
#include <vector>

namespace headroom::simulator {

/// A random program on three streams: requests of all sizes, frees, uses by other streams, flushes of the cache.
class RandomRequests {
public:
    RandomRequests(CachingAllocator& allocator, unsigned seed)
        : m_allocator(allocator)
        , m_random(seed)
    {
    }

    void run(int steps)
    {
        for (int i = 0; i < steps; ++i)
            step();
    }

private:
    unsigned below(std::size_t bound) { return static_cast<unsigned>(m_random() % bound); }

    Bytes someBytes()
    {
        const Bytes magnitudes[] = {700, 60 * kKiB, kMiB, 3 * kMiB, 12 * kMiB, 12 * kMiB, 90 * kMiB};
        return 1 + static_cast<Bytes>(below(static_cast<std::size_t>(magnitudes[below(7)])));
    }

    void step()
    {
        const unsigned kind = below(100);
        if (kind < 52 || m_live.empty())
            allocate();
        else if (kind < 90)
            freeOne();
        else if (kind < 95)
            m_allocator.recordStream(m_live[below(m_live.size())], static_cast<Stream>(below(3)));
        else if (kind < 99)
            m_allocator.synchronize(static_cast<Stream>(below(3)));
        else
            m_allocator.emptyCache();
    }

    void allocate()
    {
        try {
            m_live.push_back(m_allocator.allocate(someBytes(), static_cast<Stream>(below(3))));
        } catch (const OutOfMemory&) {
            freeOne();
        }
    }

    void freeOne()
    {
        if (m_live.empty())
            return;
        const std::size_t index = below(m_live.size());
        m_allocator.free(m_live[index]);
        m_live.erase(m_live.begin() + static_cast<std::ptrdiff_t>(index));
    }

    CachingAllocator& m_allocator;
    std::mt19937 m_random;
    std::vector<Address> m_live;
};

/// Values of PYTORCH_ALLOC_CONF under which blocks and segments differ.
inline const std::vector<std::string>& allocatorSettingsToTry()
{
    static const std::vector<std::string> settings{"", "max_split_size_mb:32",
        "roundup_power2_divisions:[1:4,16:8,>:2]", "roundup_power2_divisions:4,max_split_size_mb:20",
        "expandable_segments:True", "expandable_segments:True,roundup_power2_divisions:8,max_split_size_mb:40",
        "garbage_collection_threshold:0.6,per_process_memory_fraction:0.9,max_split_size_mb:20",
        "large_segment_size_mb:64,max_non_split_rounding_mb:64,max_split_size_mb:80"};
    return settings;
}

} // namespace headroom::simulator
