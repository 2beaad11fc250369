// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/Shortage.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"

namespace headroom::experiments {
namespace {

using Extent = Shortage::Extent;

// Omits the unit if `needed` is shown in the same one.
std::string excessText(Bytes missing, std::optional<Bytes> needed)
{
    const SizeUnit unit = sizeUnitOf(missing);
    const bool isOfOneUnit = needed && unit.bytes == sizeUnitOf(*needed).bytes;
    return (isOfOneUnit ? sizeIn(missing, unit) : sizeText(missing)) + " more than usable";
}

std::string firstFailureText(const Shortage& shortage)
{
    if (shortage.phase.empty())
        return {};
    return "; first failed in " + inWords(shortage.phase)
        + (shortage.requested ? " for " + requestSizeText(*shortage.requested) : std::string());
}

// Memory outside the allocator: the context and other processes' memory.
std::optional<Bytes> outsideBytes(const TrialMemory& memory)
{
    if (memory.afterLoad.device && memory.afterLoad.reserved)
        return *memory.afterLoad.device - *memory.afterLoad.reserved;
    return memory.wholeRunPeak.reserved ? std::nullopt : std::optional<Bytes>(0);
}

// What the allocator of a real GPU would have held with the request that failed. Its limit does not tell: where none is
// given it is the whole device, context and others' memory included.
std::optional<Bytes> heldByARealDevice(const TrialResult& result)
{
    const auto& facts = result.outOfMemory;
    if (result.isPredicted || !facts || !facts->reservedBytes || !facts->requestedBytes)
        return std::nullopt;
    return *facts->reservedBytes + *facts->requestedBytes;
}

// Sets the lower bound known at the first failed request. If it was host memory that ran out, no shortage of device
// memory is known.
void addLeast(Shortage& shortage, const TrialResult& result)
{
    const auto& limit = result.memory.limit;
    const auto& peak = result.memory.wholeRunPeak.reserved;
    const auto outside = outsideBytes(result.memory);
    if (result.outOfMemory)
        shortage.missing = result.outOfMemory->missingBytes;
    if (const auto held = heldByARealDevice(result); held && outside)
        shortage.needed = *held + *outside;
    else if (shortage.missing && limit && outside)
        shortage.needed = *limit + *outside + *shortage.missing;
    else if (!shortage.missing && !shortage.requested && peak)
        shortage.needed = *peak + outside.value_or(0);
}

} // namespace

std::optional<Shortage> shortageOf(const TrialResult& result)
{
    if (result.outcome != Outcome::OutOfMemory)
        return std::nullopt;
    Shortage shortage;
    if (const auto& facts = result.outOfMemory) {
        shortage.phase = facts->phase;
        shortage.requested = facts->requestedBytes;
    }
    if (result.memory.need.missing.value_or(0) > 0) {
        shortage.extent = Extent::Whole;
        shortage.needed = result.memory.need.needed;
        shortage.missing = result.memory.need.missing;
    } else {
        addLeast(shortage, result);
    }
    return shortage.needed || shortage.missing ? std::optional(shortage) : std::nullopt;
}

std::string sentenceFor(const Shortage& shortage)
{
    std::string text = shortage.extent == Extent::Whole ? "needs " : "needs at least ";
    if (shortage.needed)
        text += sizeText(*shortage.needed) + (shortage.missing ? ", " : "");
    if (shortage.missing)
        text += excessText(*shortage.missing, shortage.needed);
    return text + firstFailureText(shortage);
}

std::string shortageText(const TrialResult& result)
{
    const auto shortage = shortageOf(result);
    return shortage ? sentenceFor(*shortage) : std::string();
}

} // namespace headroom::experiments
