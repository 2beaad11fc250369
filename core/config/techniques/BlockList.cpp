// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/BlockList.h"

#include "core/base/Error.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace headroom::config {
namespace {

constexpr std::int64_t kMostBlocks = 100'000;

std::string validList(const std::string& what, char separator)
{
    return what + " numbers from 0 and ranges of them in ascending order, each " + what + " once, with "
        + (separator == '.' ? "dots" : "colons") + " between them: 0-3" + separator + "7";
}

std::optional<std::int64_t> parseIndex(const std::string& text)
{
    std::int64_t index = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, index);
    if (text.empty() || text.front() == '-' || error != std::errc{} || end != last)
        return std::nullopt;
    return index;
}

// "7" or "0-3".
std::optional<BlockRange> parseRange(const std::string& text)
{
    const std::size_t dash = text.find('-');
    const auto first = parseIndex(text.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parseIndex(text.substr(dash + 1));
    if (!first || !last)
        return std::nullopt;
    return BlockRange{*first, *last};
}

std::vector<std::string> parts(const std::string& text, char separator)
{
    std::vector<std::string> result;
    std::size_t begin = 0;
    for (std::size_t dot = text.find(separator); dot != std::string::npos; dot = text.find(separator, begin)) {
        result.push_back(text.substr(begin, dot - begin));
        begin = dot + 1;
    }
    result.push_back(text.substr(begin));
    return result;
}

// Why `range` may not follow `ranges`; empty if it may.
std::string problemOf(const BlockRange& range, const std::vector<BlockRange>& ranges, const std::string& what)
{
    if (range.last < range.first)
        return "runs backwards";
    if (ranges.empty() || range.first > ranges.back().last)
        return {};
    return range.last < ranges.back().first ? "comes after " + what + " " + std::to_string(ranges.back().first)
                                            : "names " + what + "s that stand before it already";
}

void append(std::vector<BlockRange>& ranges, const BlockRange& range)
{
    if (!ranges.empty() && ranges.back().last + 1 == range.first)
        ranges.back().last = range.last;
    else
        ranges.push_back(range);
}

} // namespace

bool BlockList::contains(std::int64_t block) const
{
    return std::any_of(ranges.begin(), ranges.end(),
        [block](const BlockRange& range) { return range.first <= block && block <= range.last; });
}

BlockList parseBlockList(const std::string& text, const std::string& notation, const std::string& where)
{
    return parseNumberList(text, '.', {"block", notation, where});
}

BlockList parseNumberList(const std::string& text, char separator, const NumberListContext& context)
{
    BlockList numbers;
    for (const std::string& part : parts(text, separator)) {
        const auto range = parseRange(part);
        const std::string problem =
            range ? problemOf(*range, numbers.ranges, context.what) : "is no " + context.what + " number and no range";
        if (!problem.empty())
            throw UsageError("found \"" + context.notation + "\": \"" + part + "\" " + problem, context.where,
                validList(context.what, separator));
        append(numbers.ranges, *range);
    }
    return numbers;
}

void requireReasonable(const BlockList& blocks, const std::string& notation, const std::string& where)
{
    if (blocks.last() >= kMostBlocks)
        throw UsageError("found \"" + notation + "\": block " + std::to_string(blocks.last()) + " is in no model",
            where, "block numbers below " + std::to_string(kMostBlocks));
}

std::string toText(const BlockList& blocks)
{
    std::string text;
    for (const BlockRange& range : blocks.ranges) {
        text += (text.empty() ? "" : ".") + std::to_string(range.first);
        if (range.last != range.first)
            text += "-" + std::to_string(range.last);
    }
    return text;
}

} // namespace headroom::config
