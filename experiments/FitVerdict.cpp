// SPDX-License-Identifier: Apache-2.0
#include "experiments/FitVerdict.h"

#include "experiments/ByteFormat.h"
#include "experiments/DeviceFit.h"
#include "experiments/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace headroom::experiments {
namespace {

using Kind = FitVerdict::Kind;
using protocol::Outcome;
using protocol::RepeatResult;

void addPeaks(FitVerdict& verdict, const protocol::RepeatMemory& memory)
{
    verdict.reservedBytes = DeviceFit::heldBytes(memory);
    verdict.allocatedBytes = std::max({memory.peak.allocated, memory.firstStepPeak.allocated});
}

Kind kindOfCompleted(const FitVerdict& verdict)
{
    const bool hasMargin = verdict.freeBytes().value_or(0) >= verdict.marginBytes;
    return hasMargin && verdict.cacheFlushes == 0 ? Kind::Fits : Kind::Tight;
}

// Three digits.
std::string digits(double value)
{
    const double magnitude = std::abs(value);
    return fmt::format("{:.{}f}", value, magnitude < 0.9995 ? 3 : magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0);
}

// Of sentences with several amounts: all in the unit of the largest.
std::string inGib(Bytes bytes)
{
    return digits(static_cast<double>(bytes) / static_cast<double>(kGiB));
}

std::string usage(const FitVerdict& verdict)
{
    const Bytes needed = verdict.neededBytes().value_or(0);
    const bool isSmall = needed < kGiB / 100;
    return (isSmall ? shortAmount(needed) : inGib(needed)) + " of " + inGib(verdict.usableBytes) + " GiB";
}

std::string tightness(const FitVerdict& verdict)
{
    if (verdict.cacheFlushes > 0)
        return fmt::format(", the allocator has to give memory back {} on the way",
            verdict.cacheFlushes == 1 ? "once" : std::to_string(verdict.cacheFlushes) + " times");
    return ", less than the margin of " + shortAmount(verdict.marginBytes);
}

std::string shortage(const FitVerdict& verdict)
{
    const auto free = verdict.freeBytes();
    const std::string least = free && !verdict.neededBytes() ? "at least " : "";
    return "Does not fit: " + (free ? least + shortAmount(-*free) + " missing" : "out of memory")
        + (verdict.outOfMemory ? " (in " + inWords(verdict.outOfMemory->phase) + ")" : "");
}

std::string firstFailure(const protocol::OutOfMemoryFacts& facts)
{
    std::string text = "The first request that fails is in " + inWords(facts.phase);
    if (facts.requestedBytes)
        text += ": " + readable(*facts.requestedBytes);
    if (facts.missingBytes)
        text += ", " + readable(*facts.missingBytes) + " more than is left";
    return text + ".";
}

} // namespace

std::optional<Bytes> FitVerdict::neededBytes() const
{
    return reservedBytes ? std::optional(*reservedBytes + contextBytes) : std::nullopt;
}

std::optional<Bytes> FitVerdict::freeBytes() const
{
    const auto needed = neededBytes();
    const auto left = needed ? std::optional(usableBytes - *needed) : std::nullopt;
    if (kind != Kind::DoesNotFit || !outOfMemory || !outOfMemory->missingBytes)
        return left;
    return std::min(left.value_or(0), -*outOfMemory->missingBytes);
}

FitVerdict judgeFit(const config::Trial& trial, const simulator::MemoryProfile& card, const RepeatResult& result,
    const std::optional<RepeatResult>& need)
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
        if (need && need->outcome == Outcome::Completed)
            addPeaks(verdict, need->memory);
    }
    return verdict;
}

std::string shortAmount(Bytes bytes)
{
    const bool isLarge = std::abs(bytes) >= kGiB / 10;
    const ByteUnit unit = isLarge ? ByteUnit{kGiB, "GiB", 3} : unitFor({bytes});
    if (unit.size == 1)
        return std::to_string(bytes) + " B";
    return digits(static_cast<double>(bytes) / static_cast<double>(unit.size)) + " " + unit.name;
}

std::string sentenceFor(const FitVerdict& verdict)
{
    switch (verdict.kind) {
    case Kind::Fits:
        return "Fits: " + usage(verdict) + ", " + shortAmount(verdict.freeBytes().value_or(0)) + " free";
    case Kind::Tight:
        return "Tight: " + usage(verdict) + ", " + shortAmount(verdict.freeBytes().value_or(0)) + " free"
            + tightness(verdict);
    case Kind::DoesNotFit:
        return shortage(verdict);
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
        text = "Needs " + usage(verdict) + ", of which " + shortAmount(verdict.contextBytes) + " for the driver. ";
    if (verdict.outOfMemory)
        text += firstFailure(*verdict.outOfMemory) + " ";
    return text + "Less than " + shortAmount(verdict.marginBytes) + " free counts as tight.";
}

} // namespace headroom::experiments
