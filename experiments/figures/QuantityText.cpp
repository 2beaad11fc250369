// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/QuantityText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::figures {
namespace {

constexpr int kDigits = 3;

std::string singular(SpeedUnit unit)
{
    return unit == SpeedUnit::Steps ? "it" : "sample";
}

} // namespace

MemoryUnit memoryUnitFor(Bytes largest)
{
    if (largest >= kGiB / 10)
        return {kGiB, "GiB"};
    return largest >= kMiB / 10 ? MemoryUnit{kMiB, "MiB"} : MemoryUnit{kKiB, "KiB"};
}

TimeUnit timeUnitFor(std::int64_t longestNs)
{
    if (longestNs >= 2'000'000'000)
        return {1'000'000'000, "s"};
    return longestNs >= 2'000'000 ? TimeUnit{1'000'000, "ms"} : TimeUnit{1'000, "µs"};
}

std::string tableText(Bytes bytes, const MemoryUnit& unit)
{
    return fmt::format("{:.3f}", unit.of(bytes));
}

std::string shareText(Bytes part, Bytes whole)
{
    if (part == 0 || whole == 0)
        return "0 %";
    const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
    return percent > 0 && percent < 0.1 ? "<0.1 %" : fmt::format("{:.1f} %", percent);
}

std::string timeText(std::int64_t ns)
{
    const TimeUnit unit = timeUnitFor(ns);
    return fmt::format("{} {}", significant(unit.of(ns), kDigits), unit.name);
}

std::string speedText(double perSecond, SpeedUnit unit)
{
    std::string text = fmt::format("{} {}", significant(perSecond, kDigits), name(unit));
    if (perSecond <= 0 || perSecond >= 1)
        return text;
    return fmt::format("{} ({} s/{})", text, significant(1 / perSecond, kDigits), singular(unit));
}

} // namespace headroom::figures
