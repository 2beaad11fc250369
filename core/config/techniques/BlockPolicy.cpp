// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/BlockPolicy.h"

#include "core/base/Error.h"
#include "core/config/TechniqueDescriptor.h"

#include <algorithm>
#include <map>

namespace headroom::config {
namespace {

constexpr std::string_view kOpsPrefix = "ops:";
constexpr std::string_view kProductsPrefix = "ops:mm/";
constexpr std::string_view kCallsPrefix = "ops:calls/";
constexpr const char* kPolicyValid =
    "none, all, ops, ops:mm/N with N at least 1, ops:calls/LIST with a LIST like 0-2:5";
constexpr const char* kGroupsValid =
    "LIST=POLICY, several with dots between them, each block once, as in 0-11=all.12-27=ops; a POLICY is none, all, "
    "ops, ops:mm/N or ops:calls/0-2:5";

std::string replaced(std::string text, char from, char to)
{
    std::ranges::replace(text, from, to);
    return text;
}

[[noreturn]] void refusePolicy(
    const std::string& notation, const std::string& why, const std::string& where, const char* valid)
{
    throw UsageError("found \"" + notation + "\": " + why, where, valid);
}

BlockPolicy parseProducts(const std::string& text, const std::string& notation, const std::string& where)
{
    const auto period = parseCount(text);
    if (!period)
        refusePolicy(notation, "N is \"" + text + "\"", where, kPolicyValid);
    return {.kind = BlockPolicy::Kind::Ops, .period = *period};
}

// Dots end the list of a group, so calls have colons between them.
BlockPolicy parseCalls(const std::string& text, const std::string& notation, const std::string& where)
{
    if (text.find('.') != std::string::npos)
        refusePolicy(notation, "calls have colons between them, not dots: \"" + text + "\"", where, kPolicyValid);
    return {.kind = BlockPolicy::Kind::Ops, .calls = parseNumberList(text, ':', {"call", notation, where})};
}

std::vector<std::string> dotParts(const std::string& text)
{
    std::vector<std::string> parts{""};
    for (const char c : text)
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

} // namespace

BlockPolicy parseBlockPolicy(const std::string& text, const std::string& notation, const std::string& where)
{
    if (text == "none")
        return {};
    if (text == "all")
        return {.kind = BlockPolicy::Kind::All};
    if (text == "ops")
        return {.kind = BlockPolicy::Kind::Ops};
    if (text.starts_with(kProductsPrefix))
        return parseProducts(text.substr(kProductsPrefix.size()), notation, where);
    if (text.starts_with(kCallsPrefix))
        return parseCalls(text.substr(kCallsPrefix.size()), notation, where);
    if (text.starts_with(kOpsPrefix))
        refusePolicy(notation, "what follows ops: is \"" + text.substr(kOpsPrefix.size()) + "\"", where, kPolicyValid);
    refusePolicy(notation, "\"" + text + "\" is no policy of a block", where, kPolicyValid);
}

std::string toText(const BlockPolicy& policy)
{
    switch (policy.kind) {
    case BlockPolicy::Kind::None:
        return "none";
    case BlockPolicy::Kind::All:
        return "all";
    case BlockPolicy::Kind::Ops:
        break;
    }
    if (policy.calls)
        return std::string(kCallsPrefix) + replaced(toText(*policy.calls), '.', ':');
    return policy.period == 1 ? "ops" : std::string(kProductsPrefix) + std::to_string(policy.period);
}

std::vector<BlockGroup> parseBlockGroups(const std::string& text, const std::string& notation, const std::string& where)
{
    std::map<std::int64_t, BlockPolicy> byBlock;
    std::string list;
    for (const std::string& part : dotParts(text)) {
        const std::size_t equals = part.find('=');
        list += (list.empty() ? "" : ".") + part.substr(0, equals);
        if (equals == std::string::npos)
            continue;
        const BlockList blocks = parseBlockList(list, notation, where);
        requireReasonable(blocks, notation, where);
        const BlockPolicy policy = parseBlockPolicy(part.substr(equals + 1), notation, where);
        for (const BlockRange& range : blocks.ranges)
            for (std::int64_t block = range.first; block <= range.last; ++block)
                if (!byBlock.emplace(block, policy).second)
                    refusePolicy(notation, "block " + std::to_string(block) + " has two policies", where, kGroupsValid);
        list.clear();
    }
    if (!list.empty())
        refusePolicy(notation, "blocks " + list + " have no policy", where, kGroupsValid);
    std::vector<BlockPolicy> policies(static_cast<std::size_t>(byBlock.rbegin()->first + 1));
    for (const auto& [block, policy] : byBlock)
        policies[static_cast<std::size_t>(block)] = policy;
    return groupsOf(policies);
}

std::string toText(const std::vector<BlockGroup>& groups)
{
    std::string text;
    for (const BlockGroup& group : groups)
        text += (text.empty() ? "" : ".") + toText(group.blocks) + "=" + toText(group.policy);
    return text;
}

std::vector<BlockGroup> groupsOf(const std::vector<BlockPolicy>& policies)
{
    std::vector<BlockGroup> groups;
    for (std::size_t i = 0; i < policies.size(); ++i) {
        if (!policies[i].isCheckpointed())
            continue;
        auto group = std::ranges::find(groups, policies[i], &BlockGroup::policy);
        if (group == groups.end())
            group = groups.insert(group, {{}, policies[i]});
        const auto block = static_cast<std::int64_t>(i);
        std::vector<BlockRange>& ranges = group->blocks.ranges;
        if (!ranges.empty() && ranges.back().last + 1 == block)
            ranges.back().last = block;
        else
            ranges.push_back({block, block});
    }
    return groups;
}

} // namespace headroom::config
