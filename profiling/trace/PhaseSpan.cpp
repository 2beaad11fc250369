// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/PhaseSpan.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom::trace {
namespace {

// The names that the measurement of a repeat uses (docs/measuring.md).
constexpr std::array<std::string_view, 5> kAroundTheSteps{"load", "baseline", "plain_warmup", kWarmUpPhase, "compare"};

} // namespace

bool isOfAStep(const PhaseSpan& span)
{
    return span.step >= 0 && std::ranges::find(kAroundTheSteps, span.name) == kAroundTheSteps.end();
}

const PhaseSpan* phaseAt(std::span<const PhaseSpan> spans, std::int64_t timeNs)
{
    const PhaseSpan* innermost = nullptr;
    for (const PhaseSpan& span : spans) {
        if (timeNs < span.beginNs || timeNs >= span.endNs)
            continue;
        if (innermost == nullptr || span.endNs - span.beginNs < innermost->endNs - innermost->beginNs)
            innermost = &span;
    }
    return innermost;
}

} // namespace headroom::trace
