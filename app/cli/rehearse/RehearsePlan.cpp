// SPDX-License-Identifier: Apache-2.0
#include "app/cli/rehearse/RehearsePlan.h"

#include "app/cli/rehearse/LastCards.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "experiments/spec/BudgetReader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace headroom::cli {

using experiments::CommandTerms;
using experiments::PlannedRehearsal;

namespace {

std::string placeholder(const std::string& name)
{
    return "{" + name + "}";
}

std::string replaced(std::string word, const std::string& from, const std::string& to)
{
    for (auto at = word.find(from); at != std::string::npos; at = word.find(from, at + to.size()))
        word.replace(at, from.size(), to);
    return word;
}

void requireIn(const std::vector<std::string>& command, const std::string& name, const char* option)
{
    const bool isThere = std::ranges::any_of(
        command, [&](const std::string& word) { return word.find(placeholder(name)) != std::string::npos; });
    if (!isThere)
        throw UsageError("the command has no " + placeholder(name), option,
            "a command with " + placeholder(name) + " where the value belongs, as in --batch " + placeholder(name));
}

std::pair<std::string, std::string> nameAndRest(const std::string& text, const char* option, const char* valid)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw UsageError("found \"" + text + "\"", option, valid);
    return {text.substr(0, equals), text.substr(equals + 1)};
}

RehearsedAxis axisOf(const std::string& text)
{
    constexpr const char* kValid = "NAME=V,... as in batch=1,2,4";
    auto [name, rest] = nameAndRest(text, "--axis", kValid);
    RehearsedAxis axis{name, {}};
    for (std::size_t begin = 0; begin <= rest.size();) {
        const std::size_t end = std::min(rest.find(',', begin), rest.size());
        if (end == begin)
            throw UsageError("found \"" + text + "\"", "--axis", kValid);
        axis.values.push_back(rest.substr(begin, end - begin));
        begin = end + 1;
    }
    return axis;
}

std::int64_t numberOf(const std::string& text, const std::string& whole)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0)
        throw UsageError("found \"" + whole + "\"", "--fill", "NAME=LOW..HIGH as in batch=1..64");
    return number;
}

FilledAxis filledOf(const std::string& text)
{
    const auto [name, range] = nameAndRest(text, "--fill", "NAME=LOW..HIGH as in batch=1..64");
    const auto dots = range.find("..");
    const FilledAxis axis{name, numberOf(range.substr(0, dots), text),
        numberOf(dots == std::string::npos ? std::string() : range.substr(dots + 2), text)};
    if (axis.high < axis.low)
        throw UsageError(fmt::format("{} is more than {}", axis.low, axis.high), "--fill", "LOW..HIGH");
    return axis;
}

simulator::DeviceProfile cardOf(const std::string& name, const simulator::ProfileCatalogue& cards)
{
    simulator::DeviceProfile card = cards.parseSimulatedDevice(name, "--device").device;
    if (!card.memory || !card.compute || !card.speed || !card.card)
        throw UsageError(card.name + " is no card that can be rehearsed", "--device",
            "one that headroom devices lists, with what CUDA is asked for");
    return card;
}

std::vector<std::string> cardNames(const RehearseArguments& arguments)
{
    const std::vector<std::string> names = arguments.devices.empty() ? lastCards() : arguments.devices;
    if (names.empty())
        throw UsageError("no card is named, and none was used before", "--device",
            "--device h100-80gb, or another one that headroom devices lists; the next time it is taken again");
    return names;
}

template <typename T>
T oneOf(const std::string& given, const char* option, std::initializer_list<std::pair<const char*, T>> valid)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : valid) {
        if (given == name)
            return value;
        names.emplace_back(name);
    }
    throw UsageError("found \"" + given + "\"", option, joined(names, " or "));
}

// A card's description has places for so many (profiling/rehearsal/AccountFile.h).
constexpr std::int64_t kMostCards = 16;
constexpr std::int64_t kUsualCards = 8;

void requireWithoutRanks(const RehearseArguments& arguments)
{
    if (arguments.nodes > 1)
        throw UsageError("one process is on one node", "--nodes", "no --nodes beside --no-ranks");
    if (!arguments.ranks.empty())
        throw UsageError("a process without a rank has no number", "--ranks", "no --ranks beside --no-ranks");
}

/// Cards of a node and nodes: "--gpus 128" alone means nodes of 8, as they are built.
void setCards(experiments::RehearsalTerms& terms, const RehearseArguments& arguments)
{
    std::int64_t gpus = arguments.gpus;
    std::int64_t nodes = arguments.nodes;
    if (gpus > kMostCards && nodes == 1 && gpus % kUsualCards == 0 && !arguments.noRanks) {
        nodes = gpus / kUsualCards;
        gpus = kUsualCards;
    }
    if (gpus > kMostCards)
        throw UsageError(fmt::format("{} GPUs in one node", gpus), "--gpus",
            fmt::format("up to {} in each node, as in --gpus 8 --nodes 16", kMostCards));
    terms.cards = static_cast<int>(gpus);
    terms.nodes = static_cast<int>(nodes);
}

void setRanks(experiments::RehearsalTerms& terms, const RehearseArguments& arguments)
{
    setCards(terms, arguments);
    if (arguments.noRanks)
        return requireWithoutRanks(arguments);
    const int world = terms.cards * terms.nodes;
    std::set<int> ranks;
    for (const std::int64_t rank : arguments.ranks)
        if (rank < 0 || rank >= world)
            throw UsageError(fmt::format("{} is none of {}", rank, counted(world, "rank")), "--ranks",
                fmt::format("from 0 to {}", world - 1));
        else
            ranks.insert(static_cast<int>(rank));
    if (world > 1)
        terms.ranks = ranks.empty() ? std::vector<int>{0} : std::vector<int>(ranks.begin(), ranks.end());
}

std::string labelOf(const experiments::RehearsalTerms& terms)
{
    std::string label = experiments::nameOfCommand(terms.command);
    if (terms.nodes > 1)
        label += fmt::format(" | {} x {} GPUs", terms.nodes, terms.cards);
    else if (terms.cards > 1)
        label += fmt::format(" | {} GPUs", terms.cards);
    return label;
}

experiments::RehearsalTerms termsOf(const RehearseArguments& arguments)
{
    experiments::RehearsalTerms terms;
    terms.command = arguments.command;
    terms.steps = arguments.steps;
    setRanks(terms, arguments);
    terms.assume =
        oneOf<std::string>(arguments.assume, "--assume", {{"all", "all"}, {"none", "none"}, {"balanced", "balanced"}});
    terms.writes = oneOf<CommandTerms::Writes>(arguments.writes, "--writes",
        {{"discard", CommandTerms::Writes::Discarded}, {"real", CommandTerms::Writes::Real}});
    terms.network = arguments.network ? CommandTerms::Network::Real : CommandTerms::Network::Loopback;
    if (arguments.timeoutSeconds)
        terms.timeout = std::chrono::duration_cast<std::chrono::nanoseconds>(
            std::chrono::duration<double>(*arguments.timeoutSeconds));
    return terms;
}

std::vector<PlannedRehearsal> withAxis(const std::vector<PlannedRehearsal>& rows, const RehearsedAxis& axis)
{
    std::vector<PlannedRehearsal> all;
    for (const PlannedRehearsal& row : rows)
        for (const std::string& value : axis.values)
            all.push_back(withValue(row, axis.name, value));
    return all;
}

std::vector<PlannedRehearsal> onCards(const std::vector<PlannedRehearsal>& rows, const RehearseArguments& arguments,
    const simulator::ProfileCatalogue& cards)
{
    const std::vector<std::string> allocators =
        arguments.allocators.empty() ? std::vector<std::string>{{}} : arguments.allocators;
    std::vector<PlannedRehearsal> all;
    for (const std::string& name : cardNames(arguments))
        for (const std::string& allocator : allocators)
            for (PlannedRehearsal row : rows) {
                row.terms.device = cardOf(name, cards);
                row.terms.allocator = allocator;
                all.push_back(std::move(row));
            }
    return all;
}

} // namespace

PlannedRehearsal withValue(PlannedRehearsal row, const std::string& name, const std::string& value)
{
    for (std::string& word : row.terms.command)
        word = replaced(std::move(word), placeholder(name), value);
    row.values.emplace_back(name, value);
    row.label += fmt::format(" | {} {}", name, value);
    return row;
}

RehearsePlan rehearsePlan(const RehearseArguments& arguments, const simulator::ProfileCatalogue& cards)
{
    RehearsePlan plan;
    const experiments::RehearsalTerms terms = termsOf(arguments);
    std::vector<PlannedRehearsal> rows{{terms, {}, labelOf(terms)}};
    for (const std::string& text : arguments.axes) {
        const RehearsedAxis axis = axisOf(text);
        requireIn(arguments.command, axis.name, "--axis");
        rows = withAxis(rows, axis);
    }
    if (!arguments.fill.empty()) {
        plan.fill = filledOf(arguments.fill);
        requireIn(arguments.command, plan.fill->name, "--fill");
    }
    plan.rows = onCards(rows, arguments, cards);
    if (!arguments.budgets.empty())
        plan.budgets = experiments::loadBudgetFile(arguments.budgets);
    return plan;
}

} // namespace headroom::cli
