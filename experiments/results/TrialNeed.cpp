// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/TrialNeed.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

using protocol::MemoryFigures;
using protocol::RepeatMemory;
using protocol::RepeatResult;

struct Taken {
    std::optional<Bytes> held; ///< by the allocator
    std::optional<Bytes> outside; ///< outside the allocator
};

std::optional<Bytes> outsideOf(const MemoryFigures& figures)
{
    if (!figures.device || !figures.reserved)
        return std::nullopt;
    return *figures.device - *figures.reserved;
}

// Under a memory limit, an allocator that does not reserve has the whole limit to itself.
Taken takenBy(const MemoryFigures& most, std::optional<Bytes> outside, const RepeatMemory& memory)
{
    if (most.reserved)
        return {most.reserved, outside};
    return memory.limit ? Taken{most.allocated, 0} : Taken{};
}

// A real device is queried only between phases, so memory outside the allocator is known only at those times.
Taken takenByCompleted(const RepeatMemory& memory)
{
    const MemoryFigures most = largerOf(largerOf(memory.peak, memory.firstStepPeak), memory.afterLoad);
    const auto outside = std::max({outsideOf(memory.peak), outsideOf(memory.firstStepPeak), outsideOf(memory.afterLoad),
        outsideOf(memory.resting)});
    return takenBy(most, outside, memory);
}

// The trial needs at least as much beyond the limit as the failed request lacked.
Taken takenWithoutLimit(const RepeatResult& repeat, const RepeatMemory& memory)
{
    Taken taken = takenBy(repeat.need->most, outsideOf(repeat.need->most), memory);
    if (taken.held && memory.limit && repeat.outOfMemory && repeat.outOfMemory->missingBytes)
        taken.held = std::max(*taken.held, *memory.limit + *repeat.outOfMemory->missingBytes);
    return taken;
}

Taken taken(Outcome outcome, const RepeatMemory& memory, const std::vector<RepeatResult>& repeats)
{
    if (outcome == Outcome::Completed)
        return takenByCompleted(memory);
    const auto known =
        std::ranges::find_if(repeats, [](const RepeatResult& repeat) { return repeat.need.has_value(); });
    return outcome == Outcome::OutOfMemory && known != repeats.end() ? takenWithoutLimit(*known, memory) : Taken{};
}

} // namespace

TrialNeed trialNeed(Outcome outcome, const RepeatMemory& memory, const std::vector<RepeatResult>& repeats)
{
    const Taken all = taken(outcome, memory, repeats);
    if (!all.held || !all.outside)
        return {};
    TrialNeed need{*all.held + *all.outside, std::nullopt};
    if (memory.limit)
        need.missing = std::max<Bytes>(0, *all.held - *memory.limit);
    return need;
}

} // namespace headroom::experiments
