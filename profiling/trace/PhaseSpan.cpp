// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/PhaseSpan.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom::trace {
namespace {

// As the measurement of a repeat names them (docs/measuring.md).
constexpr std::array<std::string_view, 5> kAroundTheSteps{"load", "baseline", "plain_warmup", kWarmUpPhase, "compare"};

} // namespace

bool isOfAStep(const PhaseSpan& span)
{
    return span.step >= 0 && std::ranges::find(kAroundTheSteps, span.name) == kAroundTheSteps.end();
}

} // namespace headroom::trace
