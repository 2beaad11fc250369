// SPDX-License-Identifier: Apache-2.0
#include "experiments/PeakLimit.h"

#include "core/config/Bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::experiments {
namespace {

// In the unit that the limit was written in; exact where rounding would hide the difference.
std::string amountText(const BudgetLimit& limit, double bytes)
{
    const bool isGib = limit.key == "max_peak_gib";
    const double unit = static_cast<double>(isGib ? kGiB : kMiB);
    const std::string rounded = fmt::format("{:.3f}", bytes / unit);
    const bool hides = bytes != limit.amount && rounded == fmt::format("{:.3f}", limit.amount / unit);
    return hides ? fmt::format("{:.0f} bytes", bytes) : rounded + (isGib ? " GiB" : " MiB");
}

std::string allowedText(const BudgetLimit& limit)
{
    const double unit = static_cast<double>(limit.key == "max_peak_gib" ? kGiB : kMiB);
    return fmt::format("{} {}", limit.amount / unit, limit.key == "max_peak_gib" ? "GiB" : "MiB");
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
        return {BudgetResult::Exceeded, text + "more than " + allowedText(limit)};
    return {BudgetResult::Undecided, text + "which does not tell whether " + allowedText(limit) + " would do"};
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
                *bytes > limit.amount ? "more than" : "within", allowedText(limit))};
    if (record.hasOutcome("out_of_memory"))
        return judgeOutOfMemory(limit, peak, record);
    return withoutFigure(record, figure);
}

} // namespace headroom::experiments
