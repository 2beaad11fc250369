// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ByteFormat.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

ByteUnit unitFor(const std::vector<std::optional<Bytes>>& amounts)
{
    Bytes largest = 0;
    for (const auto& amount : amounts)
        largest = std::max(largest, std::max(amount.value_or(0), -amount.value_or(0)));
    if (largest >= kGiB)
        return {kGiB, "GiB", 3};
    if (largest >= kMiB)
        return {kMiB, "MiB", 3};
    if (largest >= kKiB)
        return {kKiB, "KiB", 3};
    return {};
}

std::string inUnit(std::optional<Bytes> bytes, const ByteUnit& unit)
{
    if (!bytes)
        return {};
    return fmt::format("{:.{}f}", static_cast<double>(*bytes) / static_cast<double>(unit.size), unit.decimals);
}

std::string readable(Bytes bytes)
{
    const ByteUnit unit = unitFor({bytes});
    return inUnit(bytes, unit) + " " + unit.name;
}

} // namespace headroom::cli
