// SPDX-License-Identifier: Apache-2.0
#include "core/base/Quantities.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace headroom::config {
namespace {

constexpr int kShownDigits = 3;

// std::to_chars, as the numbers of this program are the same in every locale.
std::string written(double value, std::chars_format format, int precision)
{
    std::array<char, 400> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
    return {text.data(), end.ptr};
}

// Of the value as it is when it has been rounded: 9.996 is 10.0.
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
    if (magnitude >= 1e7 || magnitude < 1e-6)
        return written(value, std::chars_format::general, digits);
    return written(value, std::chars_format::fixed, decimalsOf(magnitude, digits));
}

SizeUnit sizeUnitOf(Bytes bytes)
{
    const Bytes magnitude = std::abs(bytes);
    if (magnitude >= kGiB / 10)
        return {kGiB, "GiB"};
    if (magnitude >= kMiB)
        return {kMiB, "MiB"};
    return magnitude >= kKiB ? SizeUnit{kKiB, "KiB"} : SizeUnit{};
}

std::string sizeIn(Bytes bytes, const SizeUnit& unit)
{
    return unit.bytes == 1 ? std::to_string(bytes)
                           : significant(static_cast<double>(bytes) / static_cast<double>(unit.bytes), kShownDigits);
}

std::string sizeText(Bytes bytes)
{
    const SizeUnit unit = sizeUnitOf(bytes);
    return sizeIn(bytes, unit) + " " + unit.name;
}

std::string rateText(double stepsPerSecond)
{
    return significant(stepsPerSecond, kShownDigits) + " it/s";
}

} // namespace headroom::config
