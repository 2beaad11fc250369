// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/SizeArgument.h"

#include "core/base/Error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace headroom::cli {
namespace {

constexpr std::array<std::pair<std::string_view, Bytes>, 6> kUnits{
    {{"", 1}, {"B", 1}, {"KiB", kKiB}, {"MiB", kMiB}, {"GiB", kGiB}, {"TiB", 1024 * kGiB}}};

// 0 if `name` is not a unit.
Bytes unitOf(std::string_view name)
{
    for (const auto& [unit, size] : kUnits)
        if (unit == name)
            return size;
    return 0;
}

} // namespace

Bytes bytesFromText(const std::string& text, const std::string& where)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    const double bytes = number * static_cast<double>(unitOf(unit));
    const bool isInRange = bytes >= 1 && bytes < static_cast<double>(std::numeric_limits<Bytes>::max());
    if (error != std::errc() || !isInRange)
        throw UsageError("found \"" + text + "\"", where, "a size such as 500MiB, 2GiB or 1000000 (bytes)");
    return std::llround(bytes);
}

} // namespace headroom::cli
