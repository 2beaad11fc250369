// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/StreamEvents.h"

#include <utility>

namespace headroom::simulator {

void StreamEvents::defer(Block& block)
{
    for (const Stream stream : std::exchange(block.streamUses, {})) {
        m_pending[stream].push_back(&block);
        ++block.pendingEvents;
    }
}

void StreamEvents::synchronize(Stream stream)
{
    const auto pending = m_pending.find(stream);
    if (pending == m_pending.end())
        return;
    m_ready.insert(m_ready.end(), pending->second.begin(), pending->second.end());
    m_pending.erase(pending);
}

void StreamEvents::synchronizeAll()
{
    while (!m_pending.empty())
        synchronize(m_pending.begin()->first);
}

Block* StreamEvents::nextReady()
{
    while (!m_ready.empty()) {
        Block* const block = m_ready.front();
        m_ready.pop_front();
        if (--block->pendingEvents == 0)
            return block;
    }
    return nullptr;
}

} // namespace headroom::simulator
