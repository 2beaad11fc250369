// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace headroom::trace {

/// A labelled interval of a trace: load, forward, backward, optimizer, ema, ... (lower case, free text). Spans may
/// nest; `endNs` is exclusive.
struct PhaseSpan {
    std::string name;
    std::int64_t step = -1; ///< step index, -1 outside any step (load)
    std::int64_t beginNs = 0; ///< since the start of the trace
    std::int64_t endNs = 0;

    bool operator==(const PhaseSpan&) const = default;
};

/// The phase around the trial's own steps before the measured ones.
inline constexpr const char* kWarmUpPhase = "warmup";

/// Whether the phase belongs to a step of the trial itself: not to the load, nor to what the protocol runs around the
/// trial's steps (a baseline, a plain warm-up, a comparison).
bool isOfAStep(const PhaseSpan& span);

/// The innermost (shortest) span that covers a time; null outside all spans.
const PhaseSpan* phaseAt(std::span<const PhaseSpan> spans, std::int64_t timeNs);

} // namespace headroom::trace
