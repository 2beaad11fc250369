// SPDX-License-Identifier: Apache-2.0
#include "core/base/Numbers.h"

#include "core/base/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

constexpr double kLargestWritten = 1e15; ///< written with an exponent from here on
constexpr double kSmallestWritten = 1e-6;
constexpr double kLongNumber = 1e6; ///< thousands are grouped from here on
constexpr int kMostDecimals = 9;

// Decimals of the value after rounding: 9.996 becomes 10.0.
int decimalsOf(double magnitude, int digits)
{
    const int exponent = static_cast<int>(std::floor(std::log10(magnitude)));
    const double halfOfTheLast = 0.5 * std::pow(10, exponent - digits + 1);
    const bool roundsUp = magnitude + halfOfTheLast >= std::pow(10, exponent + 1);
    return std::max(0, digits - 1 - exponent - (roundsUp ? 1 : 0));
}

} // namespace

std::string significant(double value, int digits)
{
    const double magnitude = std::abs(value);
    if (!std::isfinite(value))
        return "unknown";
    if (magnitude == 0)
        return "0";
    if (magnitude >= kLargestWritten || magnitude < kSmallestWritten)
        return fmt::format("{:.{}g}", value, digits);
    return inColumn(value, decimalsOf(magnitude, digits));
}

int decimalsFor(const std::vector<std::optional<double>>& values, int digits)
{
    std::optional<double> smallest;
    for (const auto& value : values)
        if (value && *value > 0)
            smallest = smallest ? std::min(*smallest, *value) : *value;
    return smallest && std::isfinite(*smallest) ? std::min(decimalsOf(*smallest, digits), kMostDecimals) : 0;
}

std::string fixed(double value, int decimals)
{
    return fmt::format("{:.{}f}", value, decimals);
}

std::string inColumn(double value, int decimals)
{
    const double magnitude = std::abs(value);
    const bool isLong = magnitude >= kLongNumber && magnitude < kLargestWritten;
    return isLong ? grouped(std::llround(value)) : fixed(value, decimals);
}

std::string exact(double value)
{
    return fmt::format("{}", value);
}

std::string deviation(double value)
{
    return value == 0 ? "0" : fmt::format("{:.2e}", value);
}

} // namespace headroom
