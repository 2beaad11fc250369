// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/SizeArgument.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
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

// "24GB", which may mean either, as what was probably meant.
std::string meant(std::string number, std::string_view unit)
{
    constexpr std::string_view kPrefixes = "KMGT";
    const char prefix = unit.empty() ? '\0' : static_cast<char>(std::toupper(static_cast<unsigned char>(unit.front())));
    const bool isUnit = unit.size() == 1 || (unit.size() <= 3 && (unit.back() == 'B' || unit.back() == 'b'));
    if (!isUnit || kPrefixes.find(prefix) == std::string_view::npos)
        return {};
    while (number.ends_with(' '))
        number.pop_back();
    return number + prefix + "iB";
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
        throw UsageError(
            "found \"" + text + "\"" + didYouMean(error == std::errc() ? meant({text.data(), end}, unit) : ""), where,
            "a size such as 500MiB, 2GiB or 1000000 (bytes)");
    return std::llround(bytes);
}

double shareFromText(const std::string& text, const std::string& where, double most)
{
    double percent = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, percent);
    std::string unit(end, last);
    std::erase(unit, ' ');
    if (error != std::errc() || unit != "%" || !(percent >= 0) || percent > most * 100)
        throw UsageError("found \"" + text + "\"", where, fmt::format("a share from 0% to {}%, as in 5%", most * 100));
    return percent / 100;
}

} // namespace headroom::cli
