// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/PeakLimit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::experiments {
namespace {

// The unit that the limit was written in.
struct LimitUnit {
    double bytes;
    const char* name;
};

LimitUnit limitUnitOf(const BudgetLimit& limit)
{
    if (limit.key == "max_peak_gib")
        return {static_cast<double>(kGiB), " GiB"};
    return {static_cast<double>(kMiB), " MiB"};
}

std::string inLimitUnit(const BudgetLimit& limit, double bytes)
{
    return fmt::format("{:.3f}", bytes / limitUnitOf(limit).bytes);
}

// Rounding would hide the difference.
bool isTooClose(const BudgetLimit& limit, double bytes)
{
    return bytes != limit.amount && inLimitUnit(limit, bytes) == inLimitUnit(limit, limit.amount);
}

std::string amountText(const BudgetLimit& limit, double bytes)
{
    return isTooClose(limit, bytes) ? fmt::format("{:.0f} bytes", bytes)
                                    : inLimitUnit(limit, bytes) + limitUnitOf(limit).name;
}

// "6 GiB", "17.322 GiB": no more digits than the amount beside it has, whoever worked the limit out. In whole bytes,
// down to which it is held, where those digits would hide the difference.
std::string allowedText(const BudgetLimit& limit, double bytes)
{
    const double inUnits = limit.amount / limitUnitOf(limit).bytes;
    const bool isCut = std::round(inUnits * 1000) / 1000 != inUnits;
    if (isCut && isTooClose(limit, bytes))
        return fmt::format("{:.0f} bytes", std::floor(limit.amount));
    if (isCut)
        return (inUnits < 0.01 ? fmt::format("{:.3g}", inUnits) : inLimitUnit(limit, limit.amount))
            + limitUnitOf(limit).name;
    return fmt::format("{}", inUnits) + limitUnitOf(limit).name;
}

const char* peakName(PeakFigure peak)
{
    switch (peak) {
    case PeakFigure::Reserved:
        return "reserved";
    case PeakFigure::Device:
        return "device";
    case PeakFigure::Default:
    case PeakFigure::Allocated:
        break;
    }
    return "allocated";
}

std::optional<Bytes> figureOf(const protocol::MemoryFigures& figures, PeakFigure peak)
{
    switch (peak) {
    case PeakFigure::Reserved:
        return figures.reserved;
    case PeakFigure::Device:
        return figures.device;
    case PeakFigure::Default:
    case PeakFigure::Allocated:
        break;
    }
    return figures.allocated;
}

// A trial that ran out of memory has no peak after warm-up, but what was there when it was loaded shows what its device
// can tell.
bool hasReserved(const TrialMemory& memory)
{
    return memory.peak.reserved || memory.afterLoad.reserved;
}

PeakFigure peakOf(const BudgetLimit& limit, const TrialResult& result)
{
    if (limit.peak != PeakFigure::Default)
        return limit.peak;
    return hasReserved(result.memory) ? PeakFigure::Reserved : PeakFigure::Allocated;
}

// What a trial that ran out of memory needed at least. The peak of the whole run may be that of the model it is
// compared with. What is missing is missing to what the allocator reserves: allocated bytes may be fewer where the two
// differ.
std::optional<Bytes> leastNeed(PeakFigure peak, const TrialResult& result)
{
    const TrialMemory& memory = result.memory;
    if (result.outOfMemory && result.outOfMemory->phase == "baseline")
        return std::nullopt;
    const auto reached = std::max(figureOf(memory.afterLoad, peak), figureOf(memory.firstStepPeak, peak));
    const bool isOfLimit = peak != PeakFigure::Allocated || !hasReserved(memory);
    if (!memory.limit || !isOfLimit)
        return reached;
    const Bytes missing = result.outOfMemory ? result.outOfMemory->missingBytes.value_or(0) : 0;
    return std::max(reached, std::optional(*memory.limit + missing));
}

BudgetFinding judgeOutOfMemory(const BudgetLimit& limit, PeakFigure peak, const TrialResult& result)
{
    const auto least = leastNeed(peak, result);
    if (!least)
        return withoutFigure(result, "the peak");
    const auto need = static_cast<double>(*least);
    const std::string text = fmt::format("ran out of memory, having needed at least {} of {} memory ({}), ",
        amountText(limit, need), peakName(peak), result.kind());
    if (need > limit.amount)
        return {BudgetResult::Exceeded, text + "more than " + allowedText(limit, need)};
    return {BudgetResult::Undecided, text + "which does not tell whether " + allowedText(limit, need) + " would do"};
}

} // namespace

LimitedPeak limitedPeak(const BudgetLimit& limit, const TrialResult& result)
{
    const PeakFigure peak = peakOf(limit, result);
    return {std::string("memory.peak.") + peakName(peak) + "_bytes", figureOf(result.memory.peak, peak)};
}

BudgetFinding judgePeak(const BudgetLimit& limit, const TrialResult& result)
{
    const PeakFigure peak = peakOf(limit, result);
    const LimitedPeak found = limitedPeak(limit, result);
    const auto bytes = static_cast<double>(found.bytes.value_or(0));
    const bool isExceeded = found.bytes && bytes > limit.amount;
    if (found.bytes && (isExceeded || result.hasCompleted()))
        return {isExceeded ? BudgetResult::Exceeded : BudgetResult::Held,
            fmt::format("{} peak of {} memory {}, {} {}", result.kind(), peakName(peak), amountText(limit, bytes),
                isExceeded ? "more than" : "within", allowedText(limit, bytes))};
    if (result.outcome == Outcome::OutOfMemory)
        return judgeOutOfMemory(limit, peak, result);
    return withoutFigure(result, found.key);
}

BudgetFinding withoutFigure(const TrialResult& result, const std::string& figure)
{
    if (result.hasCompleted())
        return {BudgetResult::Undecided, figure + " is not known for this trial"};
    return {BudgetResult::Undecided, "no figure to compare, the trial ended as " + result.ending()};
}

} // namespace headroom::experiments
