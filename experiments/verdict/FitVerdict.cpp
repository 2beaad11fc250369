// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/FitVerdict.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/results/Shortage.h"
#include "experiments/verdict/DeviceFit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace headroom::experiments {
namespace {

using Kind = FitVerdict::Kind;
using protocol::RepeatResult;

void addPeaks(FitVerdict& verdict, const protocol::RepeatMemory& memory)
{
    verdict.reservedBytes = DeviceFit::heldBytes(memory);
    verdict.reservedOtherBytes = DeviceFit::heldInOtherOrder(memory);
    verdict.allocatedBytes = memory.peak.allocated;
}

std::optional<protocol::UnlimitedNeed> needOfFailed(
    const RepeatResult& result, const std::optional<RepeatResult>& unlimited)
{
    return unlimited && result.outOfMemory ? protocol::needOf(*unlimited, *result.outOfMemory) : result.need;
}

// The trial needs at least as much beyond the limit as the failed request lacked.
void addNeed(FitVerdict& verdict, const protocol::UnlimitedNeed& need)
{
    verdict.reservedBytes = need.most.reserved ? need.most.reserved : need.most.allocated;
    verdict.reservedOtherBytes = need.most.reservedOtherAddresses;
    verdict.allocatedBytes = need.most.allocated;
    if (verdict.reservedBytes && verdict.outOfMemory && verdict.outOfMemory->missingBytes)
        verdict.reservedBytes = std::max(
            *verdict.reservedBytes, verdict.usableBytes - verdict.contextBytes + *verdict.outOfMemory->missingBytes);
}

Kind kindOfCompleted(const FitVerdict& verdict)
{
    const bool hasMargin = verdict.freeBytes().value_or(0) >= verdict.marginBytes;
    return hasMargin && verdict.cacheFlushes == 0 && verdict.missingInOtherOrder() == 0 ? Kind::Fits : Kind::Tight;
}

// Shows the unit once if both sizes have the same one.
std::string usage(const FitVerdict& verdict)
{
    const Bytes needed = verdict.neededBytes().value_or(0);
    const SizeUnit unit = sizeUnitOf(needed);
    const bool isOfOneUnit = unit.bytes == sizeUnitOf(verdict.usableBytes).bytes;
    return (isOfOneUnit ? sizeIn(needed, unit) : sizeText(needed)) + " of " + sizeText(verdict.usableBytes);
}

std::string tightness(const FitVerdict& verdict)
{
    if (verdict.cacheFlushes > 0)
        return fmt::format(", the allocator has to give memory back {} on the way",
            verdict.cacheFlushes == 1 ? "once" : std::to_string(verdict.cacheFlushes) + " times");
    if (verdict.missingInOtherOrder() > 0)
        return ", " + sizeText(verdict.missingInOtherOrder()) + " too few where segments lie in the other order";
    return ", less than the margin of " + sizeText(verdict.marginBytes);
}

std::string shortageSentence(const FitVerdict& verdict)
{
    const auto free = verdict.freeBytes();
    if (!free || *free >= 0) // host memory ran out
        return "Does not fit: out of memory";
    const auto needed = verdict.neededBytes();
    Shortage shortage{.extent = needed ? Shortage::Extent::Whole : Shortage::Extent::AtLeast,
        .needed = needed ? *needed : verdict.usableBytes - *free,
        .missing = -*free};
    if (verdict.outOfMemory) {
        shortage.phase = verdict.outOfMemory->phase;
        shortage.requested = verdict.outOfMemory->requestedBytes;
    }
    return "Does not fit: " + sentenceFor(shortage);
}

std::string firstFailure(const protocol::OutOfMemoryFacts& facts)
{
    std::string text = "The first request that fails is in " + inWords(facts.phase);
    if (facts.requestedBytes)
        text += ": " + requestSizeText(*facts.requestedBytes);
    if (facts.missingBytes)
        text += ", " + sizeText(*facts.missingBytes) + " more than is left";
    return text + ".";
}

// The addresses of segments decide which free blocks are reused. The driver chooses them, so both orders are possible.
std::string otherOrder(const FitVerdict& verdict)
{
    if (!verdict.reservedOtherBytes || !verdict.reservedBytes || *verdict.reservedBytes == 0)
        return {};
    const Bytes difference = *verdict.reservedOtherBytes - *verdict.reservedBytes;
    const double change = static_cast<double>(difference) / static_cast<double>(*verdict.reservedBytes);
    return "Had the driver put segments in the other order of addresses, "
        + (difference == 0
                ? std::string("it would need as much. ")
                : fmt::format("it would need {} ({} reserved). ",
                      sizeText(*verdict.reservedOtherBytes + verdict.contextBytes), signedPercentText(change)));
}

} // namespace

Bytes FitVerdict::missingInOtherOrder() const
{
    return std::max<Bytes>(0, reservedOtherBytes.value_or(0) + contextBytes - usableBytes);
}

std::optional<Bytes> FitVerdict::neededBytes() const
{
    return reservedBytes ? std::optional(*reservedBytes + contextBytes) : std::nullopt;
}

std::optional<Bytes> FitVerdict::freeBytes() const
{
    if (const auto needed = neededBytes())
        return usableBytes - *needed;
    if (kind != Kind::DoesNotFit || !outOfMemory || !outOfMemory->missingBytes)
        return std::nullopt;
    return -*outOfMemory->missingBytes;
}

FitVerdict judgeFit(const config::Trial& trial, const simulator::MemoryProfile& card, const RepeatResult& result,
    const std::optional<RepeatResult>& unlimited)
{
    FitVerdict verdict;
    verdict.contextBytes = card.contextBytes.value;
    verdict.usableBytes = card.usableBytes.value;
    verdict.marginBytes = card.usableBytes.value / DeviceFit::kMarginDivisor;
    if (trial.memoryLimitBytes && *trial.memoryLimitBytes + verdict.contextBytes < verdict.usableBytes) {
        const Bytes kept = verdict.usableBytes - *trial.memoryLimitBytes - verdict.contextBytes;
        verdict.usableBytes -= kept;
        verdict.marginBytes = std::max<Bytes>(0, verdict.marginBytes - kept);
    }
    if (result.outcome == Outcome::Completed) {
        addPeaks(verdict, result.memory);
        verdict.cacheFlushes = result.memory.allocRetries.value_or(0);
        verdict.kind = verdict.reservedBytes ? kindOfCompleted(verdict) : Kind::Unknown;
    } else if (result.outcome == Outcome::OutOfMemory) {
        verdict.kind = Kind::DoesNotFit;
        verdict.outOfMemory = result.outOfMemory;
        if (const auto need = needOfFailed(result, unlimited))
            addNeed(verdict, *need);
    }
    return verdict;
}

std::string sentenceFor(const FitVerdict& verdict)
{
    switch (verdict.kind) {
    case Kind::Fits:
        return "Fits: needs " + usage(verdict) + ", " + sizeText(verdict.freeBytes().value_or(0)) + " free";
    case Kind::Tight:
        return "Tight: needs " + usage(verdict) + ", " + sizeText(verdict.freeBytes().value_or(0)) + " free"
            + tightness(verdict);
    case Kind::DoesNotFit:
        return shortageSentence(verdict);
    case Kind::Unknown:
        break;
    }
    return "No prediction";
}

std::string detailsFor(const FitVerdict& verdict)
{
    if (verdict.kind == Kind::Unknown)
        return {};
    std::string text;
    if (verdict.neededBytes())
        text = "Needs " + usage(verdict) + ", of which " + sizeText(verdict.contextBytes) + " for the driver. "
            + otherOrder(verdict);
    if (verdict.outOfMemory)
        text += firstFailure(*verdict.outOfMemory) + " ";
    return text + "Less than " + sizeText(verdict.marginBytes) + " free counts as tight.";
}

} // namespace headroom::experiments
