// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/BudgetSize.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace headroom::config {
namespace {

constexpr std::array<std::pair<std::string_view, Bytes>, 6> kBudgetUnits{
    {{"TiB", 1024 * kGiB}, {"GiB", kGiB}, {"MiB", kMiB}, {"KiB", kKiB}, {"B", 1}, {"", 1}}};

// 0 if it is no unit.
Bytes budgetUnit(std::string_view name)
{
    for (const auto& [unit, size] : kBudgetUnits)
        if (unit == name)
            return size;
    return 0;
}

} // namespace

Bytes parseBudgetSize(const std::string& text, const std::string& notation, const std::string& where)
{
    double number = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number, std::chars_format::fixed);
    const double bytes = number * static_cast<double>(budgetUnit({end, static_cast<std::size_t>(last - end)}));
    const bool isInRange = bytes >= 1 && bytes < static_cast<double>(std::numeric_limits<Bytes>::max() / 2);
    if (error != std::errc() || !isInRange)
        throw UsageError("found \"" + notation + "\": SIZE is \"" + text + "\"", where,
            "budget:SIZE with a size such as 12GiB, 800MiB or 1000000 (bytes)");
    return std::llround(bytes);
}

std::string budgetSizeText(Bytes bytes)
{
    for (const auto& [unit, size] : kBudgetUnits)
        if (size > 1 && bytes % size == 0)
            return std::to_string(bytes / size) + std::string(unit);
    return std::to_string(bytes);
}

std::string budgetRemark(Bytes budget, const std::string& planned, Bytes simulatedPeak)
{
    return "budget " + requestSizeText(budget) + " planned as " + planned + ", with a simulated peak of "
        + sizeText(simulatedPeak) + ": ";
}

} // namespace headroom::config
