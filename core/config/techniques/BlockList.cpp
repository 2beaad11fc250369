// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/BlockList.h"

#include "core/base/Error.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace headroom::config {
namespace {

constexpr const char* kBlockListValid =
    "block numbers from 0 and ranges of them in ascending order, each block once, with dots "
    "between them: 0-3.7";

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

std::vector<std::string> parts(const std::string& text)
{
    std::vector<std::string> result;
    std::size_t begin = 0;
    for (std::size_t dot = text.find('.'); dot != std::string::npos; dot = text.find('.', begin)) {
        result.push_back(text.substr(begin, dot - begin));
        begin = dot + 1;
    }
    result.push_back(text.substr(begin));
    return result;
}

// Why `range` may not follow `ranges`; empty if it may.
std::string problemOf(const BlockRange& range, const std::vector<BlockRange>& ranges)
{
    if (range.last < range.first)
        return "runs backwards";
    if (ranges.empty() || range.first > ranges.back().last)
        return {};
    return range.last < ranges.back().first ? "comes after block " + std::to_string(ranges.back().first)
                                            : "names blocks that stand before it already";
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
    BlockList blocks;
    for (const std::string& part : parts(text)) {
        const auto range = parseRange(part);
        const std::string problem = range ? problemOf(*range, blocks.ranges) : "is no block number and no range";
        if (!problem.empty())
            throw UsageError("found \"" + notation + "\": \"" + part + "\" " + problem, where, kBlockListValid);
        append(blocks.ranges, *range);
    }
    return blocks;
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
