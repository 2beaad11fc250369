// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/PeakLimit.h"

#include "core/base/Bytes.h"

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

// A trial that ran out of memory has no peak after warm-up, but what was there when it was loaded shows what its device
// can tell.
bool hasReserved(const RecordView& record)
{
    return record.number("memory.peak.reserved_bytes") || record.number("memory.after_load.reserved_bytes");
}

PeakFigure peakOf(const BudgetLimit& limit, const RecordView& record)
{
    if (limit.peak != PeakFigure::Default)
        return limit.peak;
    return hasReserved(record) ? PeakFigure::Reserved : PeakFigure::Allocated;
}

// What a trial that ran out of memory needed at least. The peak of the whole run may be that of the model it is
// compared with. What is missing is missing to what the allocator reserves: allocated bytes may be fewer where the two
// differ.
std::optional<double> leastNeed(PeakFigure peak, const RecordView& record)
{
    if (record.text("oom.phase") == "baseline")
        return std::nullopt;
    const auto ownPeak = [&](const std::string& moment) {
        return record.number("memory." + moment + "." + peakName(peak) + "_bytes");
    };
    const auto reached = std::max(ownPeak("after_load"), ownPeak("first_step_peak"));
    const auto limit = record.number("memory.limit_bytes");
    const bool isOfLimit = peak != PeakFigure::Allocated || !hasReserved(record);
    if (!limit || !isOfLimit)
        return reached;
    return std::max(reached, std::optional(*limit + record.number("oom.missing_bytes").value_or(0)));
}

BudgetFinding judgeOutOfMemory(const BudgetLimit& limit, PeakFigure peak, const RecordView& record)
{
    const auto need = leastNeed(peak, record);
    if (!need)
        return withoutFigure(record, "the peak");
    const std::string text = fmt::format("ran out of memory, having needed at least {} of {} memory ({}), ",
        amountText(limit, *need), peakName(peak), record.kind());
    if (*need > limit.amount)
        return {BudgetResult::Exceeded, text + "more than " + allowedText(limit, *need)};
    return {BudgetResult::Undecided, text + "which does not tell whether " + allowedText(limit, *need) + " would do"};
}

} // namespace

std::string peakFigure(const BudgetLimit& limit, const RecordView& record)
{
    return std::string("memory.peak.") + peakName(peakOf(limit, record)) + "_bytes";
}

BudgetFinding judgePeak(const BudgetLimit& limit, const RecordView& record)
{
    const PeakFigure peak = peakOf(limit, record);
    const std::string figure = peakFigure(limit, record);
    const auto bytes = record.number(figure);
    if (bytes && (*bytes > limit.amount || record.hasCompleted()))
        return {*bytes > limit.amount ? BudgetResult::Exceeded : BudgetResult::Held,
            fmt::format("{} peak of {} memory {}, {} {}", record.kind(), peakName(peak), amountText(limit, *bytes),
                *bytes > limit.amount ? "more than" : "within", allowedText(limit, *bytes))};
    if (record.hasOutcome("out_of_memory"))
        return judgeOutOfMemory(limit, peak, record);
    return withoutFigure(record, figure);
}

} // namespace headroom::experiments
