// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/Block.h"

#include <deque>
#include <map>
#include <vector>

namespace headroom::simulator {

/// Freed blocks that other streams may still use. One event per such stream holds a block until the stream is
/// synchronised.
class StreamEvents {
public:
    /// Records an event on each stream that uses the block.
    void defer(Block& block);

    void synchronize(Stream stream);
    void synchronizeAll();

    /// The next block whose last event has finished; null if there is none. It must be put back in its pool before the
    /// next call: until its own turn comes, a waiting block does not look free to its neighbours.
    Block* nextReady();

private:
    std::map<Stream, std::vector<Block*>> m_pending;
    std::deque<Block*> m_ready; ///< one entry per finished event
};

} // namespace headroom::simulator
