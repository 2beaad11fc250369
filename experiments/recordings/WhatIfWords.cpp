// SPDX-License-Identifier: Apache-2.0
#include "experiments/recordings/WhatIfWords.h"

#include "core/base/Quantities.h"
#include "profiling/trace/FrameText.h"

#include <fmt/format.h>

namespace headroom::experiments {

std::string whereItFails(const WhatIfRow& row, const recordings::Recording& recording)
{
    if (!row.outcome.failure)
        return {};
    const recordings::ReplayFailure& failure = *row.outcome.failure;
    if (!failure.event)
        return fmt::format("before its first event: {} missing", sizeText(failure.facts.missingBytes));
    const std::string frame = trace::innermostFrame(recording.owners.of(failure.owner).frames);
    return fmt::format("at {:.6f} s for {}{}", static_cast<double>(failure.timeNs) / 1e9,
        requestSizeText(failure.facts.requestedBytes), frame.empty() ? "" : " in " + frame);
}

std::string remarkOn(const WhatIfRow& row, const recordings::Recording& recording)
{
    if (!row.outcome.failure)
        return row.outcome.fittingNow > 0 ? "what failed is served" : "";
    const recordings::ReplayFailure& failure = *row.outcome.failure;
    if (!failure.event)
        return fmt::format("what was there before does not fit: {} missing", sizeText(failure.facts.missingBytes));
    return (failure.isRecorded ? "recorded: out of memory " : "out of memory ") + whereItFails(row, recording);
}

} // namespace headroom::experiments
