// SPDX-License-Identifier: Apache-2.0
#include "core/base/ByteFormat.h"

#include "core/base/Quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace headroom::experiments {

namespace {

ByteUnit unitOf(Bytes magnitude)
{
    if (magnitude >= kGiB)
        return {kGiB, "GiB", 3};
    if (magnitude >= kMiB)
        return {kMiB, "MiB", 3};
    if (magnitude >= kKiB)
        return {kKiB, "KiB", 3};
    return {};
}

} // namespace

ByteUnit unitFor(const std::vector<std::optional<Bytes>>& amounts)
{
    Bytes largest = 0;
    Bytes smallest = std::numeric_limits<Bytes>::max();
    for (const auto& amount : amounts) {
        const Bytes magnitude = std::abs(amount.value_or(0));
        largest = std::max(largest, magnitude);
        if (magnitude > 0)
            smallest = std::min(smallest, magnitude);
    }
    const ByteUnit unit = unitOf(largest);
    if (smallest >= unit.size / 10)
        return unit;
    ByteUnit finer = unitOf(unit.size - 1);
    finer.decimals = std::min(finer.decimals, 1);
    return finer;
}

std::string inUnit(std::optional<Bytes> bytes, const ByteUnit& unit)
{
    if (!bytes)
        return {};
    return fmt::format("{:.{}f}", static_cast<double>(*bytes) / static_cast<double>(unit.size), unit.decimals);
}

std::string readable(Bytes bytes)
{
    return config::sizeText(bytes);
}

} // namespace headroom::experiments
