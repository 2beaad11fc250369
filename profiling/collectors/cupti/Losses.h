// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/cupti/RecordDecoder.h"

#include <string>
#include <vector>

namespace headroom::collectors::cupti {

/// What a capture lost, counted at every place where records can be lost.
struct Losses {
    std::int64_t droppedRecords = 0; ///< as counted by CUPTI: it had no buffer, or lost them itself
    std::int64_t refusedBuffers = 0; ///< requests made while all our buffers were in use
    std::int64_t foreignBuffers = 0; ///< returned to us, but not ours
    std::int64_t lostCalls = 0; ///< virtual-memory calls dropped because our queue was full
    std::int64_t markerEndsWithoutBegin = 0;
    DecodeCounts decoded{};
};

/// One sentence per kind of loss that says what it means for the trace; empty when nothing was lost.
std::vector<std::string> sentences(const Losses& losses);

} // namespace headroom::collectors::cupti
