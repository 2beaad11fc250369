// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace headroom::trace {

/// A labelled stretch of a trace: load, forward, backward, optimizer, ema, ... (lower case, free text).
/// Spans may nest; `endNs` is exclusive.
struct PhaseSpan {
    std::string name;
    std::int64_t step = -1; ///< step index, -1 outside any step (load)
    std::int64_t beginNs = 0; ///< since the start of the trace
    std::int64_t endNs = 0;

    bool operator==(const PhaseSpan&) const = default;
};

} // namespace headroom::trace
