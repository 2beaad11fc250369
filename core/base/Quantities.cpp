// SPDX-License-Identifier: Apache-2.0
#include "core/base/Quantities.h"

#include "core/base/Wording.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace headroom {
namespace {

constexpr int kSizeDecimals = 3;
constexpr double kLeastShownShare = 0.001;
constexpr const char* kLeastPercentText = "<0.1 %";
constexpr double kLongSpeed = 1e5; ///< has a decimal prefix from here on
constexpr double kBinaryError = 1e-9; ///< 100 * 0.29 is a little less than 29

const SizeUnit& gibibytes()
{
    static const SizeUnit unit{kGiB, "GiB", kSizeDecimals};
    return unit;
}

// The largest unit of which the amount holds at least one.
SizeUnit wholeUnitOf(Bytes magnitude)
{
    if (magnitude >= kGiB)
        return gibibytes();
    if (magnitude >= kMiB)
        return {kMiB, "MiB", kSizeDecimals};
    return magnitude >= kKiB ? SizeUnit{kKiB, "KiB", kSizeDecimals} : SizeUnit{};
}

std::string singular(SpeedUnit unit)
{
    switch (unit) {
    case SpeedUnit::Steps:
        return "step";
    case SpeedUnit::Samples:
        return "sample";
    case SpeedUnit::Tokens:
        break;
    }
    return "token";
}

std::string oneDecimal(double percents)
{
    return fixed(percents, 1) + " %";
}

// Three digits and the prefix for the power of a thousand.
std::string inThousands(double number, const std::array<const char*, 6>& powers)
{
    std::size_t power = 0;
    for (; number >= 999.5 && power + 1 < powers.size(); ++power)
        number /= 1000;
    return (power == 0 ? fixed(number, 0) : significant(number)) + " " + powers.at(power);
}

} // namespace

SizeUnit sizeUnitOf(Bytes bytes)
{
    const Bytes magnitude = std::abs(bytes);
    return magnitude >= kGiB / 10 ? gibibytes() : wholeUnitOf(magnitude);
}

SizeUnit axisUnitFor(Bytes largest)
{
    return sizeUnitOf(std::max(largest, kKiB));
}

SizeUnit columnUnitFor(const std::vector<std::optional<Bytes>>& amounts)
{
    Bytes largest = 0;
    Bytes smallest = std::numeric_limits<Bytes>::max();
    for (const auto& amount : amounts) {
        const Bytes magnitude = std::abs(amount.value_or(0));
        largest = std::max(largest, magnitude);
        if (magnitude > 0)
            smallest = std::min(smallest, magnitude);
    }
    const SizeUnit unit = wholeUnitOf(largest);
    if (smallest >= unit.bytes / 10)
        return unit;
    SizeUnit finer = wholeUnitOf(unit.bytes - 1);
    finer.decimals = std::min(finer.decimals, 1);
    return finer;
}

std::string sizeText(Bytes bytes)
{
    const SizeUnit unit = sizeUnitOf(bytes);
    return sizeIn(bytes, unit) + " " + unit.name;
}

std::string sizeIn(Bytes bytes, const SizeUnit& unit)
{
    return unit.bytes == 1 ? std::to_string(bytes) : significant(unit.of(bytes));
}

std::string requestSizeText(Bytes bytes)
{
    const SizeUnit unit = sizeUnitOf(bytes);
    return bytes % unit.bytes == 0 ? std::to_string(bytes / unit.bytes) + " " + unit.name : sizeText(bytes);
}

std::string exactSizeText(Bytes bytes)
{
    return grouped(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string inUnit(std::optional<Bytes> bytes, const SizeUnit& unit)
{
    return bytes ? fixed(unit.of(*bytes), unit.decimals) : std::string();
}

std::string signedInUnit(Bytes difference, const SizeUnit& unit)
{
    return (difference > 0 ? "+" : "") + inUnit(difference, unit);
}

std::string signedSizeText(Bytes difference)
{
    return (difference > 0 ? "+" : "") + sizeText(difference);
}

std::string moreOrLessText(Bytes difference)
{
    return sizeText(std::abs(difference)) + (difference > 0 ? " more" : " less");
}

std::string percentText(double ratio)
{
    if (!std::isfinite(ratio))
        return significant(ratio);
    if (ratio == 0)
        return "0 %";
    return ratio > 0 && ratio < kLeastShownShare ? kLeastPercentText : oneDecimal(100 * ratio);
}

std::string shareText(Bytes part, Bytes whole)
{
    return percentText(whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole));
}

std::string signedPercentText(double change)
{
    if (!std::isfinite(change))
        return significant(change);
    if (change == 0)
        return "0 %";
    const std::string sign = change > 0 ? "+" : "";
    if (std::abs(change) < kLeastShownChange)
        return sign + significant(100 * change, 1) + " %";
    return sign + oneDecimal(100 * change);
}

std::string progressText(double doneShare)
{
    return fixed(std::floor(100 * doneShare + kBinaryError), 0) + " %";
}

std::string speedUnitName(SpeedUnit unit)
{
    return singular(unit) + "s/s";
}

std::string speedText(double perSecond, SpeedUnit unit)
{
    return perSecond >= kLongSpeed ? metricText(perSecond, " " + speedUnitName(unit))
                                   : significant(perSecond) + " " + speedUnitName(unit);
}

std::string stepTimeText(double perSecond, SpeedUnit unit)
{
    if (!(perSecond > 0))
        return {};
    const double seconds = 1 / perSecond;
    return (seconds < 0.1 ? significant(1000 * seconds) + " ms/" : significant(seconds) + " s/") + singular(unit);
}

std::string speedAndTimeText(double perSecond, SpeedUnit unit)
{
    const std::string time = stepTimeText(perSecond, unit);
    return speedText(perSecond, unit) + (time.empty() ? "" : " (" + time + ")");
}

TimeUnit timeUnitFor(std::int64_t longestNs)
{
    if (longestNs >= 2'000'000'000)
        return {1'000'000'000, "s"};
    return longestNs >= 2'000'000 ? TimeUnit{1'000'000, "ms"} : TimeUnit{1'000, "µs"};
}

std::string timeText(std::int64_t ns)
{
    const TimeUnit unit = timeUnitFor(ns);
    return significant(unit.of(ns)) + " " + unit.name;
}

std::string durationText(double seconds)
{
    if (seconds < 0.05)
        return "< 0.1 s";
    if (seconds < 9.95 && seconds != std::floor(seconds))
        return fixed(seconds, 1) + " s";
    const long long whole = std::llround(seconds);
    if (whole < 60)
        return std::to_string(whole) + " s";
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string roughDurationText(double seconds)
{
    if (seconds < 1)
        return "less than 1 s";
    if (seconds < 90)
        return "about " + std::to_string(std::lround(seconds)) + " s";
    const long minutes = std::lround(seconds / 60);
    if (minutes < 90)
        return "about " + std::to_string(minutes) + " min";
    const std::string rest = minutes % 60 == 0 ? "" : " " + std::to_string(minutes % 60) + " min";
    return "about " + std::to_string(minutes / 60) + " h" + rest;
}

std::string largeCountText(double count)
{
    std::string text = inThousands(count, {"", "thousand", "million", "billion", "trillion", "quadrillion"});
    if (text.ends_with(' '))
        text.pop_back();
    return text;
}

std::string metricText(double amount, const std::string& unit)
{
    return inThousands(amount, {"", "k", "M", "G", "T", "P"}) + unit;
}

} // namespace headroom
