// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/Axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace headroom::figures {
namespace {

constexpr std::array kSteps{1, 2, 5};
constexpr double kRoom = 0.08; ///< of the span, beyond the outermost values
constexpr double kNarrowestSpan = 0.05; ///< of the largest value: noise is not blown up to fill the axis
constexpr double kZeroShare = 0.4;
constexpr double kLogarithmicSpan = 30;
constexpr double kLongNumber = 1e5; ///< has a decimal prefix from here on

/// digit * 10^exponent; a step is divided by a power of ten where it can be, because 3 * 0.1 is not 0.3.
struct Step {
    int digit = 1;
    int exponent = 0;

    double times(double count) const
    {
        const double power = std::pow(10.0, std::abs(exponent));
        return exponent < 0 ? count * digit / power : count * digit * power;
    }
};

/// A decimal prefix, which all ticks of a linear axis share.
struct Prefix {
    int exponent = 0;
    const char* name = "";
};

// Whole numbers are written out as long as they are counted at a glance.
Prefix prefixFor(double largest)
{
    constexpr std::array kPrefixes{
        Prefix{15, " P"}, Prefix{12, " T"}, Prefix{9, " G"}, Prefix{6, " M"}, Prefix{3, " k"}};
    if (largest < kLongNumber)
        return {};
    return *std::ranges::find_if(kPrefixes, [&](const Prefix& prefix) {
        return largest >= std::pow(10, prefix.exponent) || prefix.exponent == kPrefixes.back().exponent;
    });
}

std::string tickText(double value, int exponent, const Prefix& prefix)
{
    if (value == 0)
        return "0";
    if (exponent < -6 || std::abs(value) >= 1e18)
        return fmt::format("{:g}", value);
    return fmt::format(
        "{:.{}f}{}", value / std::pow(10, prefix.exponent), std::max(0, prefix.exponent - exponent), prefix.name);
}

// The bounds give way by a hair: 0.3 / 0.1 is less than 3.
std::vector<Tick> multiples(const Step& step, double low, double high)
{
    const double hair = (high - low) * 1e-9;
    const Prefix prefix = prefixFor(std::max(std::abs(low), std::abs(high)));
    std::vector<Tick> ticks;
    for (double count = std::ceil((low - hair) / step.times(1)); step.times(count) <= high + hair; ++count) {
        const double value = std::clamp(step.times(count) + 0.0, low, high);
        ticks.push_back({value, tickText(value, step.exponent, prefix)});
    }
    return ticks;
}

// A step that leaves one tick or none is too coarse to read values by: then the outermost ticks of the next finer one.
std::vector<Tick> linearTicks(double low, double high, std::size_t most)
{
    const int first = static_cast<int>(std::floor(std::log10((high - low) / static_cast<double>(most)))) - 1;
    std::vector<Tick> finer;
    for (int exponent = first;; ++exponent)
        for (const int digit : kSteps) {
            if ((high - low) / Step{digit, exponent}.times(1) >= static_cast<double>(2 * most) + 1)
                continue;
            auto ticks = multiples({digit, exponent}, low, high);
            if (ticks.size() > most) {
                finer = std::move(ticks);
                continue;
            }
            if (ticks.size() < 2 && finer.size() >= 2)
                return {finer.front(), finer.back()};
            return ticks;
        }
}

template <std::size_t N>
std::vector<Tick> decadeTicks(const std::array<int, N>& digits, double low, double high, int every)
{
    std::vector<Tick> ticks;
    const int first = static_cast<int>(std::floor(std::log10(low)));
    for (int exponent = first; Step{1, exponent}.times(1) <= high; ++exponent)
        for (const int digit : digits)
            if (const double value = Step{digit, exponent}.times(1);
                exponent % every == 0 && value >= low && value <= high)
                ticks.push_back({value, tickText(value, exponent, prefixFor(value))});
    return ticks;
}

std::vector<Tick> logarithmicTicks(double low, double high, std::size_t most)
{
    auto ticks = decadeTicks(kSteps, low, high, 1);
    for (int every = 1; ticks.size() > most; ++every)
        ticks = decadeTicks(std::array{1}, low, high, every);
    return ticks.size() < 2 ? linearTicks(low, high, most) : ticks;
}

Axis resolved(std::string label, Scale scale, double low, double high)
{
    return {std::move(label), scale, low, high, niceTicks(scale, low, high, kUsualTicks)};
}

Axis logarithmicAxis(std::string label, double low, double high)
{
    const double room = std::max(std::pow(high / low, kRoom), 1.2);
    return resolved(std::move(label), Scale::Logarithmic, low / room, high * room);
}

} // namespace

double Axis::fraction(double value) const
{
    if (scale == Scale::Logarithmic)
        return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
}

double Axis::value(double fraction) const
{
    return scale == Scale::Logarithmic ? low * std::pow(high / low, fraction) : low + fraction * (high - low);
}

std::vector<Tick> niceTicks(Scale scale, double low, double high, std::size_t most)
{
    most = std::max<std::size_t>(most, 2);
    return scale == Scale::Logarithmic ? logarithmicTicks(low, high, most) : linearTicks(low, high, most);
}

Axis axisFor(std::string label, Scale scale, std::span<const double> values)
{
    if (values.empty())
        return resolved(std::move(label), Scale::Linear, 0, 1);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (scale == Scale::Logarithmic)
        return logarithmicAxis(std::move(label), *low, *high);
    if (*low >= 0 && (*low <= kZeroShare * *high || *low == *high))
        return axisFromZero(std::move(label), values);
    const double span = std::max(*high - *low, kNarrowestSpan * std::max(std::abs(*low), std::abs(*high)));
    const double middle = std::midpoint(*low, *high);
    const double reach = span * (0.5 + kRoom);
    return resolved(std::move(label), Scale::Linear, middle - reach, middle + reach);
}

Axis axisFromZero(std::string label, std::span<const double> values)
{
    const double largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    return resolved(std::move(label), Scale::Linear, 0, largest > 0 ? largest * (1 + kRoom) : 1);
}

Axis categoryAxis(std::string label, std::span<const std::string> rows)
{
    Axis axis{std::move(label), Scale::Category, -0.5, static_cast<double>(rows.size()) - 0.5, {}};
    for (std::size_t row = 0; row < rows.size(); ++row)
        axis.ticks.push_back({static_cast<double>(row), rows[row]});
    return axis;
}

Scale suitableScale(std::span<const double> values)
{
    if (values.empty())
        return Scale::Linear;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *low > 0 && *high > kLogarithmicSpan * *low ? Scale::Logarithmic : Scale::Linear;
}

} // namespace headroom::figures
