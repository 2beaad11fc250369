// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/CheckpointingDescriptor.h"

#include "core/base/Wording.h"
#include "core/config/techniques/CheckpointRange.h"
#include "core/config/techniques/CheckpointStrategy.h"
#include "core/config/techniques/ModelWords.h"

#include <algorithm>
#include <map>

namespace headroom::config {
namespace {

using PolicyKind = CheckpointPolicy::Kind;

constexpr const char* kNoCheckpointing = "none";

bool isGiven(const ValueMap& options, const std::string& name)
{
    const auto option = options.find(name);
    return option != options.end() && !option->second.isNull();
}

std::vector<std::string> textsOf(const ValueMap& options, const std::string& name)
{
    std::vector<std::string> texts;
    if (isGiven(options, name))
        for (const Value& value : options.at(name).list())
            texts.push_back(value.text());
    return texts;
}

// -1: none is listed.
std::int64_t lastListedBlock(const CheckpointPolicy& policy)
{
    std::int64_t last = -1;
    if (policy.kind == PolicyKind::Blocks || policy.kind == PolicyKind::Skip)
        last = policy.blocks.last();
    for (const BlockGroup& group : policy.groups)
        last = std::max(last, group.blocks.last());
    return last;
}

// Whether results of ops may be kept.
bool keepsResults(const CheckpointPolicy& policy)
{
    return policy.kind == PolicyKind::Ops || policy.kind == PolicyKind::Budget
        || std::ranges::any_of(
            policy.groups, [](const BlockGroup& group) { return group.policy.kind == BlockPolicy::Kind::Ops; });
}

bool choosesProducts(const CheckpointPolicy& policy)
{
    return (policy.kind == PolicyKind::Ops && policy.period > 1)
        || std::ranges::any_of(policy.groups, [](const BlockGroup& group) { return group.policy.period > 1; });
}

std::vector<std::string> checkpointingBlockProblems(
    const CheckpointPolicy& policy, const std::string& what, const ModelContext& context)
{
    const std::int64_t count = context.family.blocks(context.fields);
    if (count == 0)
        return {what + ": " + calledModel(context.family) + " has no blocks"};
    const std::string has = " the model's " + std::to_string(count) + " blocks";
    if ((policy.kind == PolicyKind::Every || policy.kind == PolicyKind::Except) && policy.period > count)
        return {what + ": N is more than" + has};
    if (const std::int64_t last = lastListedBlock(policy); last >= count)
        return {
            what + ": block " + std::to_string(last) + " is not among" + has + ", 0 to " + std::to_string(count - 1)};
    return {};
}

std::string unknownOp(const std::string& op)
{
    return "checkpointing.save_ops: unknown op \"" + op + "\"" + didYouMean(closestName(op, savableOps()))
        + " (valid: " + joined(savableOps()) + ")";
}

std::vector<std::string> savedOpProblems(const ValueMap& options)
{
    if (!isGiven(options, "save_ops"))
        return {};
    const std::vector<std::string> ops = textsOf(options, "save_ops");
    if (ops.empty())
        return {"checkpointing.save_ops is empty: blocks that keep no results are checkpointing = all"};
    std::vector<std::string> problems;
    for (const std::string& op : ops)
        if (std::ranges::find(savableOps(), op) == savableOps().end())
            problems.push_back(unknownOp(op));
    return problems;
}

// Reports names that no Linear of the model has in its path; nothing if a family does not list its Linears.
std::vector<std::string> unknownLayers(const std::vector<std::string>& names, const ModelContext& context)
{
    const std::vector<std::string> linears = context.family.linears(context.fields);
    std::vector<std::string> problems;
    for (const std::string& name : names)
        if (std::ranges::none_of(linears, [&](const auto& path) { return path.find(name) != std::string::npos; }))
            problems.push_back("checkpointing.force_recompute: \"" + name
                + "\" is part of no Linear's path (valid: parts " + "of paths such as " + linears.at(linears.size() / 2)
                + ")");
    return problems;
}

std::vector<std::string> recomputedModuleProblems(const ValueMap& options, const ModelContext& context)
{
    if (!isGiven(options, "force_recompute"))
        return {};
    const std::vector<std::string> names = textsOf(options, "force_recompute");
    if (names.empty())
        return {"checkpointing.force_recompute is empty: leave it out where no layer is meant"};
    if (std::ranges::find(names, std::string()) != names.end())
        return {"checkpointing.force_recompute: an empty name would be part of every module's"};
    return unknownLayers(names, context);
}

std::vector<std::string> opProblems(
    const CheckpointPolicy& policy, const TechniqueSetting& setting, const ModelContext& context)
{
    std::vector<std::string> problems;
    for (const char* name : {"save_ops", "force_recompute"})
        if (!keepsResults(policy) && isGiven(setting.options, name))
            problems.push_back(std::string("checkpointing.") + name
                + " is for policies that keep results (ops, ops:mm/N, ops:calls/LIST, budget:SIZE); checkpointing = "
                + setting.notation + " keeps no results");
    if (!keepsResults(policy))
        return problems;
    for (const auto& found : {savedOpProblems(setting.options), recomputedModuleProblems(setting.options, context)})
        problems.insert(problems.end(), found.begin(), found.end());
    if (const auto saved = checkpointOpOptions(setting.options).savedOps;
        choosesProducts(policy) && std::ranges::find(saved, "mm") == saved.end())
        problems.push_back("checkpointing = " + setting.notation + ": save_ops has no mm to choose from");
    return problems;
}

std::vector<std::string> checkpointingSettingProblems(const TechniqueSetting& setting, const ModelContext& context)
{
    const CheckpointPolicy policy = parseCheckpointing(setting.notation, "checkpointing");
    if (policy.kind == PolicyKind::None)
        return {};
    std::vector<std::string> found = checkpointingBlockProblems(policy, "checkpointing = " + setting.notation, context);
    for (std::string& problem : opProblems(policy, setting, context))
        found.push_back(std::move(problem));
    return found;
}

// Policies that leave some blocks as they are, one for each number of such blocks that has a short notation, the fewest
// first. A small period spreads those blocks evenly.
std::vector<std::string> partialPolicies(std::int64_t blockCount)
{
    std::vector<std::string> notations;
    for (const CheckpointStrategy& strategy : checkpointStrategies())
        notations.push_back("strategy:" + strategy.name);
    for (const char* mode : {"except:", "every:"})
        for (std::int64_t period = 2; period <= blockCount; ++period)
            notations.push_back(mode + std::to_string(period));
    std::map<std::int64_t, std::string> byBlocksLeft;
    for (const std::string& notation : notations) {
        const std::vector<bool> blocks = checkpointedBlocks(parseCheckpointing(notation, "checkpointing"), blockCount);
        const std::int64_t left = std::ranges::count(blocks, false);
        if (left > 0 && left < blockCount)
            byBlocksLeft.emplace(left, notation);
    }
    std::vector<std::string> policies;
    for (const auto& [left, notation] : byBlocksLeft)
        policies.push_back(notation);
    return policies;
}

// Without a backward pass nothing is saved that could be spared.
std::vector<Candidate> checkpointingCandidates(const ModelContext& context)
{
    if (context.workload.step == StepKind::Inference)
        return {};
    std::vector<Candidate> working;
    for (const Candidate& candidate : {Candidate{"all", 1, partialPolicies(context.family.blocks(context.fields))},
             Candidate{"ops", 2}, Candidate{"all+offload", 3}})
        if (checkpointingSettingProblems({candidate.notation, {}}, context).empty())
            working.push_back(candidate);
    return working;
}

std::vector<NotationForm> checkpointingForms()
{
    std::vector<NotationForm> result{{kNoCheckpointing, "every block keeps what its backward pass needs"},
        {"all", "every block is checkpointed"},
        {"every:N", "each Nth block: 0, N, 2 N and so on; every:1 does what all does"},
        {"every:N@K", "blocks K, N + K, 2 N + K and so on, with K below N"},
        {"except:N", "every block but each Nth: all but 0, N, 2 N and so on"},
        {"blocks:LIST", "the blocks listed: numbers and ranges with dots between them, as in 0-3.7"},
        {"blocks:LIST=POLICY",
            "the blocks listed, each as its POLICY says: none, all, ops, ops:mm/N or ops:calls/LIST; "
            "several with dots between them, as in 0-11=all.12-27=ops"},
        {"skip:LIST", "every block but those listed"}};
    for (const CheckpointStrategy& strategy : checkpointStrategies())
        result.push_back({"strategy:" + strategy.name, strategy.help});
    result.push_back(
        {"ops", "every block, but the results of expensive ops (save_ops) are kept and not computed again"});
    result.push_back({"ops:mm/N", "ops with of every N matrix products without bias the first kept alone"});
    result.push_back({"ops:calls/LIST",
        "ops with only the calls listed kept, counted from 0 in each block: numbers and "
        "ranges with colons between them, as in 0-2:5"});
    result.push_back({"budget:SIZE",
        "the blocks, and ops within them, that take least time again while a step's peak of "
        "allocated memory stays within SIZE (12GiB); planned by simulating the step"});
    result.push_back({"...+offload", "after any of these: inputs of blocks wait in pinned host memory"});
    return result;
}

std::optional<std::int64_t> countedBlocks(const TechniqueEngagement& engagement)
{
    return engagement.notation == kNoCheckpointing ? 0 : engagement.counter("blocks_checkpointed");
}

bool isCountedByOp(const TechniqueEngagement& engagement)
{
    return engagement.counter("ops_recomputed").value_or(0) > 0;
}

// One more block may cost as much as it saves (its input is kept, and it is recomputed as a whole); and of two
// intermediate policies, the larger one does not include the blocks of the smaller one unless it is much larger.
bool checkpointsClearlyMore(const TechniqueEngagement& fewer, const TechniqueEngagement& more)
{
    const std::int64_t few = countedBlocks(fewer).value();
    const std::int64_t many = countedBlocks(more).value();
    return many - few >= 2 && many >= 2 * few && !isCountedByOp(fewer) && !isCountedByOp(more);
}

MonotoneOrder checkpointingOrder()
{
    return {.level = countedBlocks,
        .isClearlyMore = checkpointsClearlyMore,
        .costsTime = [](const TechniqueEngagement& more) { return more.counter("blocks_recomputed").value_or(0) > 0; },
        .more = "checkpointing more blocks",
        .cost = "recomputing blocks",
        .unit = "blocks checkpointed",
        .unitAgain = "blocks checkpointed"};
}

FieldSet checkpointingOptionFields()
{
    return {{
        {.name = "save_ops",
            .type = FieldType::TextList,
            .defaultValue = {},
            .help = "ops and budget: those whose results are kept; if left out " + joined(defaultSavedOps())},
        {.name = "force_recompute",
            .type = FieldType::TextList,
            .defaultValue = {},
            .help = "ops and budget: parts of module paths; products with weights of the shape of a linear layer so "
                    "named are "
                    "computed again; none if left out"},
        {.name = "early_stop",
            .type = FieldType::Boolean,
            .defaultValue = true,
            .help = "end a block's repetition when the last tensor that is needed is there"},
    }};
}

} // namespace

// torchtitan's list: the compute-intensive ops of the min-cut partitioner, attention in every form, and max and topk,
// which decide routing. In LibTorch, linear is mm or addmm below autograd, and attention from plain ops is bmm; flash
// attention has a separate op for the CPU.
const std::vector<std::string>& defaultSavedOps()
{
    static const std::vector<std::string> ops{"mm", "addmm", "bmm", "convolution", "convolution_backward",
        "_scaled_dot_product_flash_attention", "_scaled_dot_product_flash_attention_for_cpu",
        "_scaled_dot_product_efficient_attention", "_scaled_dot_product_cudnn_attention",
        "_scaled_dot_product_fused_attention_overrideable", "_flash_attention_forward", "_efficient_attention_forward",
        "upsample_bilinear2d", "_scaled_mm", "max", "topk"};
    return ops;
}

const std::vector<std::string>& savableOps()
{
    static const std::vector<std::string> ops = [] {
        std::vector<std::string> all = defaultSavedOps();
        for (const char* op : {"baddbmm", "add", "mul", "cat", "gelu", "silu", "_softmax", "native_layer_norm",
                 "native_group_norm", "_fused_rms_norm"})
            all.emplace_back(op);
        return all;
    }();
    return ops;
}

CheckpointOpOptions checkpointOpOptions(const ValueMap& options)
{
    CheckpointOpOptions result{.savedOps = defaultSavedOps(), .recomputedModules = textsOf(options, "force_recompute")};
    if (isGiven(options, "save_ops"))
        result.savedOps = textsOf(options, "save_ops");
    if (isGiven(options, "early_stop"))
        result.stopsEarly = options.at("early_stop").boolean();
    return result;
}

TechniqueDescriptor checkpointingDescriptor()
{
    TechniqueDescriptor descriptor;
    descriptor.key = "checkpointing";
    descriptor.title = "Gradient checkpointing";
    descriptor.summary =
        "Keeps a block's inputs only and runs the block again in the backward pass. Saves what autograd would hold for "
        "it, at the cost of one more forward of that block; with ops, of its cheap ops alone.";
    descriptor.forms = checkpointingForms();
    descriptor.off = kNoCheckpointing;
    descriptor.firstNotation = "all";
    descriptor.options = checkpointingOptionFields();
    descriptor.relieves = {MemoryCategory::SavedActivations}; // blocks keep only their inputs
    descriptor.keepsWeights = true;
    descriptor.orders = {checkpointingOrder()};
    descriptor.counters = {{"blocks_checkpointed", "blocks that ran keeping their inputs and what ops keeps"},
        {"blocks_recomputed", "blocks run again in the backward pass"},
        {"ops_recomputed", "with ops: ops run again, views not counted; else 0, as blocks run again as a whole"},
        {"bytes_to_host", "with +offload: bytes of block inputs that went to the host"}};
    descriptor.normalise = [](const std::string& notation, const std::string& where) {
        return toText(parseCheckpointing(notation, where));
    };
    descriptor.problems = checkpointingSettingProblems;
    // Blocks are only run again in a backward pass.
    descriptor.asksForTraining = [](const std::string& notation) { return notation != kNoCheckpointing; };
    descriptor.candidates = checkpointingCandidates;
    descriptor.range = checkpointRange;
    return descriptor;
}

} // namespace headroom::config
