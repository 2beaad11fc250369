// SPDX-License-Identifier: Apache-2.0
#include "core/base/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::report {

int decimalsFor(const std::vector<std::optional<double>>& values, int digits)
{
    std::optional<double> smallest;
    for (const auto& value : values)
        if (value && *value > 0)
            smallest = smallest ? std::min(*smallest, *value) : *value;
    return smallest ? std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(*smallest))), 0, 9) : 0;
}

std::string fixed(double value, int decimals)
{
    return fmt::format("{:.{}f}", value, decimals);
}

std::string rate(double value)
{
    return fixed(value, decimalsFor({value}, 4));
}

std::string percent(double ratio)
{
    return fmt::format("{:.{}f} %", ratio * 100, std::abs(ratio) < 0.1 ? 1 : 0);
}

std::string exact(double value)
{
    return fmt::format("{}", value);
}

std::string deviation(double value)
{
    return value == 0 ? "0" : fmt::format("{:.2e}", value);
}

} // namespace headroom::report
