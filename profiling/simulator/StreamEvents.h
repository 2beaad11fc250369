// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/Block.h"

#include <deque>
#include <map>
#include <vector>

namespace headroom::simulator {

/// Blocks that were given back while other streams may still use them. An event per such stream holds a block until
/// the stream is synchronized.
class StreamEvents {
public:
    /// Records an event on each stream that uses the block.
    void defer(Block& block);

    void synchronize(Stream stream);
    void synchronizeAll();

    /// The next block whose last event is over; null when there is none. It must be put back in its pool before the
    /// next is asked for: until its own turn comes, a block that waits does not look free to its neighbours.
    Block* nextReady();

private:
    std::map<Stream, std::vector<Block*>> m_pending;
    std::deque<Block*> m_ready; ///< one entry per finished event
};

} // namespace headroom::simulator
