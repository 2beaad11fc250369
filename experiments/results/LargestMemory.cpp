// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/LargestMemory.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

using protocol::MemoryFigures;
using protocol::RepeatMemory;
using protocol::RepeatResult;

// nullopt compares less than any number.
template <typename T> void raise(std::optional<T>& to, const std::optional<T>& from)
{
    to = std::max(to, from);
}

void raise(MemoryFigures& to, const MemoryFigures& from)
{
    to = protocol::largerOf(to, from);
}

void raise(RepeatMemory& to, const RepeatMemory& from)
{
    raise(to.afterLoad, from.afterLoad);
    raise(to.firstStepPeak, from.firstStepPeak);
    raise(to.peak, from.peak);
    raise(to.wholeRunPeak, from.wholeRunPeak);
    raise(to.resting, from.resting);
    raise(to.restingCleared, from.restingCleared);
    for (const auto& [phase, figures] : from.phasePeaks)
        raise(to.phasePeaks[phase], figures);
    if (protocol::totalBytes(from.harness) > protocol::totalBytes(to.harness))
        to.harness = from.harness;
    raise(to.savedForBackward, from.savedForBackward);
    raise(to.allocRetries, from.allocRetries);
    raise(to.limit, from.limit);
    for (const protocol::UncountedMemory& one : from.notCounted) {
        const auto known = std::ranges::find_if(to.notCounted,
            [&](const auto& other) { return other.library == one.library && other.function == one.function; });
        if (known == to.notCounted.end())
            to.notCounted.push_back(one);
        else if (one.high > known->high)
            *known = one;
    }
    raise(to.segmentAddresses, from.segmentAddresses);
}

} // namespace

std::vector<const RepeatResult*> countingRepeats(const std::vector<RepeatResult>& repeats)
{
    std::vector<const RepeatResult*> completed;
    std::vector<const RepeatResult*> all;
    for (const RepeatResult& repeat : repeats) {
        all.push_back(&repeat);
        if (repeat.outcome == Outcome::Completed)
            completed.push_back(&repeat);
    }
    return completed.empty() ? all : completed;
}

RepeatMemory largestMemory(const std::vector<RepeatResult>& repeats)
{
    RepeatMemory memory;
    for (const RepeatResult* repeat : countingRepeats(repeats))
        raise(memory, repeat->memory);
    return memory;
}

} // namespace headroom::experiments
