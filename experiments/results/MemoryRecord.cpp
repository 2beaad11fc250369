// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/MemoryRecord.h"

namespace headroom::experiments {
namespace {

using protocol::HarnessItem;
using protocol::MemoryFigures;
using protocol::RepeatMemory;
using protocol::RepeatResult;

// Nothing compares as smaller than any number.
template <typename T> void raise(std::optional<T>& to, const std::optional<T>& from)
{
    to = std::max(to, from);
}

void raise(MemoryFigures& to, const MemoryFigures& from)
{
    to = protocol::largerOf(to, from);
}

Bytes total(const std::vector<HarnessItem>& items)
{
    Bytes bytes = 0;
    for (const HarnessItem& item : items)
        bytes += item.bytes;
    return bytes;
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
    if (total(from.harness) > total(to.harness))
        to.harness = from.harness;
    raise(to.savedForBackward, from.savedForBackward);
    raise(to.allocRetries, from.allocRetries);
    raise(to.limit, from.limit);
    raise(to.segmentAddresses, from.segmentAddresses);
}

OrderedJson figuresRecord(const MemoryFigures& figures)
{
    return {{"allocated_bytes", protocol::orNull(figures.allocated)},
        {"reserved_bytes", protocol::orNull(figures.reserved)},
        {"requested_bytes", protocol::orNull(figures.requested)}, {"device_bytes", protocol::orNull(figures.device)},
        {"host_rss_bytes", protocol::orNull(figures.hostRss)},
        {"host_pinned_bytes", protocol::orNull(figures.hostPinned)},
        {"host_pageable_bytes", protocol::orNull(figures.hostPageable)},
        {"reserved_other_addresses_bytes", protocol::orNull(figures.reservedOtherAddresses)}};
}

OrderedJson phaseRecord(const std::map<std::string, MemoryFigures>& phases)
{
    OrderedJson record = OrderedJson::object();
    for (const auto& [phase, figures] : phases)
        record[phase] = figuresRecord(figures);
    return record;
}

OrderedJson harnessRecord(const std::vector<HarnessItem>& items)
{
    OrderedJson record = OrderedJson::array();
    for (const HarnessItem& item : items)
        record.push_back(OrderedJson{{"name", item.name}, {"bytes", item.bytes}});
    return record;
}

} // namespace

std::vector<const RepeatResult*> countingRepeats(const std::vector<RepeatResult>& repeats)
{
    std::vector<const RepeatResult*> completed;
    std::vector<const RepeatResult*> all;
    for (const RepeatResult& repeat : repeats) {
        all.push_back(&repeat);
        if (repeat.outcome == protocol::Outcome::Completed)
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

OrderedJson memoryRecord(const RepeatMemory& memory)
{
    const bool looked = memory.peak != MemoryFigures{} || memory.wholeRunPeak != MemoryFigures{};
    OrderedJson record;
    record["after_load"] = figuresRecord(memory.afterLoad);
    record["first_step_peak"] = figuresRecord(memory.firstStepPeak);
    record["peak"] = figuresRecord(memory.peak);
    record["whole_run_peak"] = figuresRecord(memory.wholeRunPeak);
    record["resting"] = figuresRecord(memory.resting);
    record["resting_cleared"] = figuresRecord(memory.restingCleared);
    record["phase_peaks"] = phaseRecord(memory.phasePeaks);
    record["harness_bytes"] = looked ? OrderedJson(total(memory.harness)) : OrderedJson(nullptr);
    record["harness"] = harnessRecord(memory.harness);
    record["saved_for_backward_bytes"] = protocol::orNull(memory.savedForBackward);
    record["alloc_retries"] = protocol::orNull(memory.allocRetries);
    record["limit_bytes"] = protocol::orNull(memory.limit);
    record["segment_addresses"] =
        memory.segmentAddresses ? OrderedJson(config::toText(*memory.segmentAddresses)) : OrderedJson(nullptr);
    return record;
}

} // namespace headroom::experiments
