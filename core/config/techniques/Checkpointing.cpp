// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/Checkpointing.h"

#include "core/config/Error.h"
#include "core/config/techniques/CheckpointStrategy.h"

namespace headroom::config {
namespace {

using Kind = CheckpointPolicy::Kind;

constexpr const char* kValid = "none, all, every:N, every:N@K with K below N, except:N, blocks:LIST, skip:LIST with a "
                               "LIST like 0-3.7, strategy:NAME; N at least 1";

[[noreturn]] void refuse(const std::string& notation, const std::string& why, const std::string& where)
{
    throw UsageError("found \"" + notation + "\"" + (why.empty() ? "" : ": ") + why, where, kValid);
}

std::int64_t parsePeriod(const std::string& text, const std::string& notation, const std::string& where)
{
    const auto period = parseCount(text);
    if (!period)
        refuse(notation, "N is \"" + text + "\"", where);
    return *period;
}

std::int64_t parsePhase(
    const std::string& text, std::int64_t period, const std::string& notation, const std::string& where)
{
    const auto phase = text == "0" ? std::optional<std::int64_t>(0) : parseCount(text);
    if (!phase)
        refuse(notation, "K is \"" + text + "\"", where);
    if (*phase >= period)
        refuse(notation, "K is " + text + ", no remainder of a division by " + std::to_string(period), where);
    return *phase;
}

CheckpointPolicy parseEvery(const std::string& argument, const std::string& notation, const std::string& where)
{
    const std::size_t at = argument.find('@');
    CheckpointPolicy policy{.kind = Kind::Every, .period = parsePeriod(argument.substr(0, at), notation, where)};
    if (at != std::string::npos)
        policy.phase = parsePhase(argument.substr(at + 1), policy.period, notation, where);
    return policy;
}

// What follows the colon, of the modes that have one.
CheckpointPolicy parseMode(
    const std::string& mode, const std::string& argument, const std::string& notation, const std::string& where)
{
    if (mode == "every")
        return parseEvery(argument, notation, where);
    if (mode == "except")
        return {.kind = Kind::Except, .period = parsePeriod(argument, notation, where)};
    if (mode == "blocks")
        return {.kind = Kind::Blocks, .blocks = parseBlockList(argument, notation, where)};
    if (mode == "skip")
        return {.kind = Kind::Skip, .blocks = parseBlockList(argument, notation, where)};
    if (mode == "strategy")
        return {.kind = Kind::Strategy, .strategy = findCheckpointStrategy(argument, where).name};
    refuse(notation, "", where);
}

std::string everyText(const CheckpointPolicy& policy)
{
    return "every:" + std::to_string(policy.period)
        + (policy.phase == 0 ? std::string() : "@" + std::to_string(policy.phase));
}

bool isCheckpointed(const CheckpointPolicy& policy, std::int64_t block, std::int64_t blockCount)
{
    switch (policy.kind) {
    case Kind::None:
        return false;
    case Kind::All:
        return true;
    case Kind::Every:
        return block % policy.period == policy.phase;
    case Kind::Except:
        return block % policy.period != 0;
    case Kind::Blocks:
        return policy.blocks.contains(block);
    case Kind::Skip:
        return !policy.blocks.contains(block);
    case Kind::Strategy:
        return findCheckpointStrategy(policy.strategy, "checkpointing").checkpoints(block, blockCount);
    }
    return false;
}

std::vector<std::string> problems(const TechniqueSetting& setting, const ModelContext& context)
{
    const CheckpointPolicy policy = parseCheckpointing(setting.notation, "checkpointing");
    if (policy.kind == Kind::None)
        return {};
    const std::int64_t count = context.family.blocks(context.fields);
    const std::string what = "checkpointing = " + setting.notation;
    if (count == 0)
        return {what + ": " + context.family.name + " has no blocks"};
    const std::string has = " the model's " + std::to_string(count) + " blocks";
    if ((policy.kind == Kind::Every || policy.kind == Kind::Except) && policy.period > count)
        return {what + ": N is more than" + has};
    const bool isList = policy.kind == Kind::Blocks || policy.kind == Kind::Skip;
    if (isList && policy.blocks.last() >= count)
        return {what + ": block " + std::to_string(policy.blocks.last()) + " is not among" + has + ", 0 to "
            + std::to_string(count - 1)};
    return {};
}

// Without a backward pass nothing is kept that could be saved.
std::vector<std::string> candidates(const ModelContext& context)
{
    if (context.workload.step == StepKind::Inference)
        return {};
    std::vector<std::string> working;
    for (const char* notation : {"every:4", "every:2", "except:4", "all"})
        if (problems({notation, {}}, context).empty())
            working.emplace_back(notation);
    return working;
}

std::vector<NotationForm> forms()
{
    std::vector<NotationForm> result{{"none", "every block keeps what its backward pass needs"},
        {"all", "every block is checkpointed"},
        {"every:N", "each Nth block: 0, N, 2 N and so on; every:1 does what all does"},
        {"every:N@K", "blocks K, N + K, 2 N + K and so on, with K below N"},
        {"except:N", "every block but each Nth: all but 0, N, 2 N and so on"},
        {"blocks:LIST", "the blocks listed: numbers and ranges with dots between them, as in 0-3.7"},
        {"skip:LIST", "every block but those listed"}};
    for (const CheckpointStrategy& strategy : checkpointStrategies())
        result.push_back({"strategy:" + strategy.name, strategy.help});
    return result;
}

} // namespace

CheckpointPolicy parseCheckpointing(const std::string& notation, const std::string& where)
{
    if (notation == "none")
        return {};
    if (notation == "all")
        return {.kind = Kind::All};
    const std::size_t colon = notation.find(':');
    if (colon == std::string::npos)
        refuse(notation, "", where);
    return parseMode(notation.substr(0, colon), notation.substr(colon + 1), notation, where);
}

std::string toText(const CheckpointPolicy& policy)
{
    switch (policy.kind) {
    case Kind::None:
        break;
    case Kind::All:
        return "all";
    case Kind::Every:
        return everyText(policy);
    case Kind::Except:
        return "except:" + std::to_string(policy.period);
    case Kind::Blocks:
        return "blocks:" + toText(policy.blocks);
    case Kind::Skip:
        return "skip:" + toText(policy.blocks);
    case Kind::Strategy:
        return "strategy:" + policy.strategy;
    }
    return "none";
}

std::vector<bool> checkpointedBlocks(const CheckpointPolicy& policy, std::int64_t blockCount)
{
    std::vector<bool> result;
    for (std::int64_t block = 0; block < blockCount; ++block)
        result.push_back(isCheckpointed(policy, block, blockCount));
    return result;
}

TechniqueDescriptor checkpointingDescriptor()
{
    TechniqueDescriptor descriptor;
    descriptor.key = "checkpointing";
    descriptor.title = "Gradient checkpointing";
    descriptor.summary =
        "Keeps a block's inputs only and runs the block again in the backward pass. Saves what autograd would hold for "
        "it, at the cost of one more forward of that block.";
    descriptor.forms = forms();
    descriptor.off = "none";
    descriptor.counters = {{"blocks_checkpointed", "blocks that ran keeping their inputs only"},
        {"blocks_recomputed", "blocks run again in the backward pass"},
        {"ops_recomputed", "ops run again one by one: 0, as policies choose whole blocks"},
        {"bytes_to_host", "bytes of block inputs moved to the host: 0, as they stay on the device"}};
    descriptor.normalise = [](const std::string& notation, const std::string& where) {
        return toText(parseCheckpointing(notation, where));
    };
    descriptor.problems = problems;
    descriptor.candidates = candidates;
    return descriptor;
}

} // namespace headroom::config
