// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/StepBegins.h"

#include <algorithm>

namespace headroom::figures {

std::vector<StepBegin> stepBegins(std::span<const trace::PhaseSpan> phases)
{
    std::vector<trace::PhaseSpan> ordered;
    for (const trace::PhaseSpan& phase : phases)
        if (phase.step >= 0 && trace::isOfAStep(phase))
            ordered.push_back(phase);
    std::ranges::stable_sort(ordered, {}, &trace::PhaseSpan::beginNs);
    std::vector<StepBegin> begins;
    for (const trace::PhaseSpan& phase : ordered)
        if (begins.empty() || begins.back().step != phase.step)
            begins.push_back({phase.step, phase.beginNs});
    return begins;
}

} // namespace headroom::figures
