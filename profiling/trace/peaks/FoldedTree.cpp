// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/FoldedTree.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace headroom::trace {
namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::size_t kFewestInASequence = 4; ///< "0, 2, ... 26" is shorter from here on

std::optional<std::uint64_t> numberOf(const std::string& name)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (name.empty() || error != std::errc() || end != name.data() + name.size())
        return std::nullopt;
    return number;
}

bool holdTheSame(const MemoryNode& left, const MemoryNode& right)
{
    return left.own == right.own && left.total == right.total
        && std::ranges::equal(left.children, right.children,
            [](const MemoryNode& a, const MemoryNode& b) { return a.name == b.name && holdTheSame(a, b); });
}

bool areEvenlySpaced(const Numbers& numbers)
{
    for (std::size_t i = 2; i < numbers.size(); ++i)
        if (numbers[i] - numbers[i - 1] != numbers[1] - numbers[0])
            return false;
    return numbers.size() >= kFewestInASequence && numbers[1] - numbers[0] > 1;
}

std::string listOf(const Numbers& numbers)
{
    std::string list;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            ++end;
        list += (list.empty() ? "" : ", ") + std::to_string(numbers[i]);
        if (end > i + 1)
            list += "-" + std::to_string(numbers[end - 1]);
        i = end;
    }
    return list;
}

std::string nameOf(Numbers numbers)
{
    std::ranges::sort(numbers);
    if (areEvenlySpaced(numbers))
        return std::to_string(numbers[0]) + ", " + std::to_string(numbers[1]) + ", ... "
            + std::to_string(numbers.back());
    return listOf(numbers);
}

/// Siblings with equal contents.
struct Group {
    const MemoryNode* first = nullptr;
    Numbers numbers{};
};

std::vector<Group> groupsOf(const MemoryNode& node)
{
    std::vector<Group> groups;
    for (const MemoryNode& child : node.children) {
        const auto number = numberOf(child.name);
        const auto same = std::ranges::find_if(groups,
            [&](const Group& group) { return number && !group.numbers.empty() && holdTheSame(*group.first, child); });
        if (same != groups.end())
            same->numbers.push_back(*number);
        else
            groups.push_back({&child, number ? Numbers{*number} : Numbers{}});
    }
    return groups;
}

} // namespace

FoldedNode folded(const MemoryNode& tree)
{
    FoldedNode node{.name = tree.name, .own = tree.own, .total = tree.total};
    for (const Group& group : groupsOf(tree)) {
        node.children.push_back(folded(*group.first));
        if (group.numbers.size() < 2)
            continue;
        node.children.back().name = nameOf(group.numbers);
        node.children.back().count = group.numbers.size();
    }
    std::ranges::stable_sort(node.children, std::ranges::greater(), &FoldedNode::allBytes);
    return node;
}

} // namespace headroom::trace
