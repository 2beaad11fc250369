// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/CheckpointNotation.h"

#include "core/base/Error.h"
#include "core/config/TechniqueDescriptor.h"
#include "core/config/techniques/BudgetSize.h"
#include "core/config/techniques/CheckpointStrategy.h"

#include <algorithm>
#include <utility>

namespace headroom::config {
namespace {

using PolicyKind = CheckpointPolicy::Kind;

constexpr const char* kCheckpointValid =
    "none, all, every:N, every:N@K with K below N, except:N, blocks:LIST, skip:LIST with a "
    "LIST like 0-3.7, blocks:LIST=POLICY.LIST=POLICY, strategy:NAME, ops, ops:mm/N, ops:calls/LIST with a LIST like "
    "0-2:5, budget:SIZE with a SIZE like 12GiB; N at least 1; any but none with +offload after it";
constexpr std::string_view kOffload = "+offload";
constexpr std::string_view kProducts = "mm/";
constexpr std::string_view kCalls = "calls/";

[[noreturn]] void refuseCheckpoint(const std::string& notation, const std::string& why, const std::string& where)
{
    throw UsageError("found \"" + notation + "\"" + (why.empty() ? "" : ": ") + why, where, kCheckpointValid);
}

CheckpointPolicy mixedOf(std::vector<BlockGroup> groups)
{
    if (groups.empty())
        return {};
    if (groups.size() == 1 && groups.front().policy.kind == BlockPolicy::Kind::All)
        return {.kind = PolicyKind::Blocks, .blocks = groups.front().blocks};
    return {.kind = PolicyKind::Mixed, .groups = std::move(groups)};
}

std::int64_t parsePeriod(const std::string& text, const std::string& notation, const std::string& where)
{
    const auto period = parseCount(text);
    if (!period)
        refuseCheckpoint(notation, "N is \"" + text + "\"", where);
    return *period;
}

std::int64_t parsePhase(
    const std::string& text, std::int64_t period, const std::string& notation, const std::string& where)
{
    const auto phase = text == "0" ? std::optional<std::int64_t>(0) : parseCount(text);
    if (!phase)
        refuseCheckpoint(notation, "K is \"" + text + "\"", where);
    if (*phase >= period)
        refuseCheckpoint(notation, "K is " + text + ", no remainder of a division by " + std::to_string(period), where);
    return *phase;
}

CheckpointPolicy parseEvery(const std::string& argument, const std::string& notation, const std::string& where)
{
    const std::size_t at = argument.find('@');
    CheckpointPolicy policy{.kind = PolicyKind::Every, .period = parsePeriod(argument.substr(0, at), notation, where)};
    if (at != std::string::npos)
        policy.phase = parsePhase(argument.substr(at + 1), policy.period, notation, where);
    return policy;
}

// With a period of 1 every product would be the first: that is `ops`.
CheckpointPolicy parseOps(const std::string& argument, const std::string& notation, const std::string& where)
{
    if (!argument.starts_with(kProducts) && !argument.starts_with(kCalls))
        refuseCheckpoint(notation, "what follows ops: is \"" + argument + "\"", where);
    if (argument.starts_with(kProducts))
        return {.kind = PolicyKind::Ops, .period = parsePeriod(argument.substr(kProducts.size()), notation, where)};
    return {.kind = PolicyKind::Ops, .calls = parseBlockPolicy("ops:" + argument, notation, where).calls};
}

// Where every block of the list is recomputed as a whole, the policies need not be written.
CheckpointPolicy parseBlocks(const std::string& argument, const std::string& notation, const std::string& where)
{
    if (argument.find('=') == std::string::npos)
        return {.kind = PolicyKind::Blocks, .blocks = parseBlockList(argument, notation, where)};
    CheckpointPolicy policy = mixedOf(parseBlockGroups(argument, notation, where));
    if (policy.kind == PolicyKind::None)
        refuseCheckpoint(notation, "no block is checkpointed: that is none", where);
    return policy;
}

// The part after the colon, for modes that have one.
CheckpointPolicy parseMode(
    const std::string& mode, const std::string& argument, const std::string& notation, const std::string& where)
{
    if (mode == "every")
        return parseEvery(argument, notation, where);
    if (mode == "except")
        return {.kind = PolicyKind::Except, .period = parsePeriod(argument, notation, where)};
    if (mode == "blocks")
        return parseBlocks(argument, notation, where);
    if (mode == "skip")
        return {.kind = PolicyKind::Skip, .blocks = parseBlockList(argument, notation, where)};
    if (mode == "strategy")
        return {.kind = PolicyKind::Strategy, .strategy = findCheckpointStrategy(argument, where).name};
    if (mode == "ops")
        return parseOps(argument, notation, where);
    if (mode == "budget")
        return {.kind = PolicyKind::Budget, .budget = parseBudgetSize(argument, notation, where)};
    refuseCheckpoint(notation, "", where);
}

std::string everyText(const CheckpointPolicy& policy)
{
    return "every:" + std::to_string(policy.period)
        + (policy.phase == 0 ? std::string() : "@" + std::to_string(policy.phase));
}

bool isCheckpointed(const CheckpointPolicy& policy, std::int64_t block, std::int64_t blockCount)
{
    switch (policy.kind) {
    case PolicyKind::None:
        return false;
    case PolicyKind::All:
    case PolicyKind::Ops:
    case PolicyKind::Budget:
        return true;
    case PolicyKind::Mixed:
        return std::ranges::any_of(
            policy.groups, [block](const BlockGroup& group) { return group.blocks.contains(block); });
    case PolicyKind::Every:
        return block % policy.period == policy.phase;
    case PolicyKind::Except:
        return block % policy.period != 0;
    case PolicyKind::Blocks:
        return policy.blocks.contains(block);
    case PolicyKind::Skip:
        return !policy.blocks.contains(block);
    case PolicyKind::Strategy:
        return findCheckpointStrategy(policy.strategy, "checkpointing").checkpoints(block, blockCount);
    }
    return false;
}

BlockPolicy checkpointedPolicy(const CheckpointPolicy& policy, std::int64_t block)
{
    if (policy.kind == PolicyKind::Ops)
        return {.kind = BlockPolicy::Kind::Ops, .period = policy.period, .calls = policy.calls};
    for (const BlockGroup& group : policy.groups)
        if (group.blocks.contains(block))
            return group.policy;
    return {.kind = BlockPolicy::Kind::All};
}

// Which blocks are checkpointed, and which op results are kept.
std::string policyText(const CheckpointPolicy& policy)
{
    switch (policy.kind) {
    case PolicyKind::None:
        break;
    case PolicyKind::All:
        return "all";
    case PolicyKind::Every:
        return everyText(policy);
    case PolicyKind::Except:
        return "except:" + std::to_string(policy.period);
    case PolicyKind::Blocks:
        return "blocks:" + toText(policy.blocks);
    case PolicyKind::Skip:
        return "skip:" + toText(policy.blocks);
    case PolicyKind::Strategy:
        return "strategy:" + policy.strategy;
    case PolicyKind::Ops:
        return toText(checkpointedPolicy(policy, 0));
    case PolicyKind::Mixed:
        return "blocks:" + toText(policy.groups);
    case PolicyKind::Budget:
        return "budget:" + budgetSizeText(policy.budget);
    }
    return "none";
}

CheckpointPolicy parsePolicy(const std::string& text, const std::string& notation, const std::string& where)
{
    if (text == "none")
        return {};
    if (text == "all")
        return {.kind = PolicyKind::All};
    if (text == "ops")
        return {.kind = PolicyKind::Ops};
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
        refuseCheckpoint(notation, "", where);
    return parseMode(text.substr(0, colon), text.substr(colon + 1), notation, where);
}

} // namespace

CheckpointPolicy parseCheckpointing(const std::string& notation, const std::string& where)
{
    const bool offload = notation.ends_with(kOffload);
    const std::string text = offload ? notation.substr(0, notation.size() - kOffload.size()) : notation;
    CheckpointPolicy policy = parsePolicy(text, notation, where);
    if (offload && policy.kind == PolicyKind::None)
        refuseCheckpoint(notation, "without checkpointing no block's inputs are kept that could be moved", where);
    policy.offload = offload;
    return policy;
}

std::string toText(const CheckpointPolicy& policy)
{
    return policyText(policy) + std::string(policy.offload ? kOffload : "");
}

std::optional<Bytes> budgetOf(const std::string& notation)
{
    const CheckpointPolicy policy = parseCheckpointing(notation, "checkpointing");
    return policy.kind == PolicyKind::Budget ? std::optional(policy.budget) : std::nullopt;
}

std::vector<BlockPolicy> blockPolicies(const CheckpointPolicy& policy, std::int64_t blockCount)
{
    std::vector<BlockPolicy> result;
    for (std::int64_t block = 0; block < blockCount; ++block)
        result.push_back(isCheckpointed(policy, block, blockCount) ? checkpointedPolicy(policy, block) : BlockPolicy{});
    return result;
}

CheckpointPolicy policyOf(const std::vector<BlockPolicy>& policies, bool offload)
{
    CheckpointPolicy policy = mixedOf(groupsOf(policies));
    const bool isUniform =
        !policies.empty() && std::ranges::all_of(policies, [&](const auto& p) { return p == policies.front(); });
    if (isUniform)
        policy = parsePolicy(toText(policies.front()), toText(policies.front()), "checkpointing");
    policy.offload = offload && policy.kind != PolicyKind::None;
    return policy;
}

std::vector<bool> checkpointedBlocks(const CheckpointPolicy& policy, std::int64_t blockCount)
{
    std::vector<bool> result;
    for (std::int64_t block = 0; block < blockCount; ++block)
        result.push_back(isCheckpointed(policy, block, blockCount));
    return result;
}

} // namespace headroom::config
