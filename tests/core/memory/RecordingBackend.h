// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryBackend.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace headroom::tensor {

/// What the recording backend throws when its limit is reached: a type that nobody else throws.
class Refused : public std::runtime_error {
public:
    Refused()
        : std::runtime_error("refused by the test")
    {
    }
};

/// Keeps account of storages and notices what must not happen: a death without a birth, or a second one.
class RecordingBackend final : public MemoryBackend {
public:
    explicit RecordingBackend(Bytes limitBytes = std::numeric_limits<Bytes>::max())
        : m_limitBytes(limitBytes)
    {
    }

    Handle allocate(Bytes bytes) override
    {
        const std::scoped_lock lock(m_mutex);
        if (m_liveBytes + bytes > m_limitBytes)
            throw Refused();
        m_blocks.emplace(++m_lastHandle, bytes);
        m_births.push_back(bytes);
        m_liveBytes += bytes;
        m_liveAtBirths.push_back(m_liveBytes);
        m_peakBytes = std::max(m_peakBytes, m_liveBytes);
        return m_lastHandle;
    }

    void release(Handle handle) noexcept override
    {
        const std::scoped_lock lock(m_mutex);
        const auto block = m_blocks.find(handle);
        if (block == m_blocks.end()) {
            ++m_unknownDeaths;
            return;
        }
        m_liveBytes -= block->second;
        m_blocks.erase(block);
    }

    Bytes liveBytes() const { return locked(m_liveBytes); }
    Bytes peakBytes() const { return locked(m_peakBytes); }
    std::vector<Bytes> births() const { return locked(m_births); }
    /// What lived when each was there.
    std::vector<Bytes> liveAtBirths() const { return locked(m_liveAtBirths); }
    std::size_t liveBlocks() const { return locked(m_blocks).size(); }
    int unknownDeaths() const { return locked(m_unknownDeaths); }

    void setLimit(Bytes limitBytes)
    {
        const std::scoped_lock lock(m_mutex);
        m_limitBytes = limitBytes;
    }

    /// Births and peak count from now on.
    void restart()
    {
        const std::scoped_lock lock(m_mutex);
        m_births.clear();
        m_liveAtBirths.clear();
        m_peakBytes = m_liveBytes;
    }

private:
    template <typename T> T locked(const T& member) const
    {
        const std::scoped_lock lock(m_mutex);
        return member;
    }

    mutable std::mutex m_mutex;
    Bytes m_limitBytes;
    Bytes m_liveBytes = 0;
    Bytes m_peakBytes = 0;
    Handle m_lastHandle = 0;
    int m_unknownDeaths = 0;
    std::map<Handle, Bytes> m_blocks;
    std::vector<Bytes> m_births;
    std::vector<Bytes> m_liveAtBirths;
};

} // namespace headroom::tensor
