// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/TrialTerms.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace headroom::figures {
namespace {

constexpr std::array kFlags{Flag::Pressured, Flag::NotSteady, Flag::NoEffect, Flag::Implausible};

std::string meaning(Flag flag)
{
    switch (flag) {
    case Flag::Pressured:
        return "the allocator had to give memory back and try again";
    case Flag::NotSteady:
        return "the step time had not settled";
    case Flag::NoEffect:
        return "a technique that was asked for changed nothing";
    case Flag::Implausible:
        return "contradicts the other trials";
    }
    return {};
}

bool has(const std::vector<Flag>& flags, Flag flag)
{
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

} // namespace

bool isFarBeyond(const Budget& budget, Bytes largest)
{
    return budget.bytes / 2 > largest;
}

std::string name(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::Allocated:
        return "allocated";
    case MemoryKind::Reserved:
        return "reserved";
    case MemoryKind::Needed:
        return "needed";
    case MemoryKind::HostRss:
        return "host resident";
    }
    return {};
}

std::string peakTitle(MemoryKind kind)
{
    return kind == MemoryKind::Needed ? "Memory needed" : "Peak " + name(kind);
}

std::string peakText(Bytes bytes, MemoryKind kind)
{
    return fmt::format("{} {}{}", sizeText(bytes), kind == MemoryKind::Needed ? "" : "peak ", name(kind));
}

std::string budgetText(const Budget& budget)
{
    return fmt::format("{} ({})", budget.label.empty() ? "budget" : budget.label, sizeText(budget.bytes));
}

std::vector<std::string> flagLines(const std::vector<Flag>& flags)
{
    std::vector<std::string> lines;
    for (const Flag flag : flags)
        lines.push_back(fmt::format("{}: {}", title(flag), meaning(flag)));
    return lines;
}

std::string flagList(const std::vector<Flag>& flags)
{
    std::vector<std::string> titles;
    for (const Flag flag : flags)
        titles.push_back(title(flag));
    return fmt::format("{}", fmt::join(titles, ", "));
}

std::string outcomeText(Outcome outcome, const std::string& reason)
{
    const std::string words = inWords(toText(outcome));
    return reason.empty() ? words : fmt::format("{}: {}", words, reason);
}

std::vector<LegendEntry> flagLegend(const std::vector<std::vector<Flag>>& lists)
{
    std::vector<LegendEntry> entries;
    for (const Flag flag : kFlags)
        if (std::any_of(lists.begin(), lists.end(), [&](const auto& flags) { return has(flags, flag); }))
            entries.push_back({Symbol::Flag, {}, flag, title(flag)});
    return entries;
}

} // namespace headroom::figures
