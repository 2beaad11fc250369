// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/cupti/RecordDecoder.h"

#include <string>
#include <vector>

namespace headroom::collectors::cupti {

/// What a capture did not get, from all the places where something can be lost.
struct Losses {
    std::int64_t droppedRecords = 0; ///< as CUPTI counts them: it had no buffer, or lost them itself
    std::int64_t refusedBuffers = 0; ///< requests that found all our buffers out
    std::int64_t foreignBuffers = 0; ///< given to us, but not ours
    std::int64_t lostCalls = 0; ///< virtual-memory calls that found our queue full
    std::int64_t markerEndsWithoutBegin = 0;
    DecodeCounts decoded{};
};

/// A sentence for each that says what it means for the trace; nothing where nothing was lost.
std::vector<std::string> sentences(const Losses& losses);

} // namespace headroom::collectors::cupti
