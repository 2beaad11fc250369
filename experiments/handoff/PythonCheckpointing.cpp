// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/PythonCheckpointing.h"

#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/techniques/CheckpointNotation.h"
#include "core/config/techniques/CheckpointingDescriptor.h"
#include "experiments/handoff/PythonText.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace headroom::experiments {
namespace {

/// A numbered list of modules with the largest number that a layer's path names.
struct NumberedList {
    std::string path;
    int length = 0;
};

std::optional<int> numberIn(const std::string& word)
{
    int number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

// "transformer_blocks" and 3 of "transformer_blocks.3.attn1.to_out.0".
std::optional<std::pair<std::string, int>> firstNumbered(const std::string& path)
{
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1))
        if (const auto number = numberIn(path.substr(dot + 1, path.find('.', dot + 1) - dot - 1)))
            return std::pair(path.substr(0, dot), *number);
    return std::nullopt;
}

std::vector<NumberedList> numberedLists(const std::vector<std::string>& linears)
{
    std::vector<NumberedList> lists;
    for (const std::string& path : linears) {
        const auto found = firstNumbered(path);
        if (!found)
            continue;
        auto list = std::ranges::find(lists, found->first, &NumberedList::path);
        if (list == lists.end())
            list = lists.insert(lists.end(), {found->first, 0});
        list->length = std::max(list->length, found->second + 1);
    }
    return lists;
}

} // namespace

int blockCountOf(const config::Configuration& configuration)
{
    return config::findModel(configuration.model, "model.name").family->blocks(configuration.modelFields);
}

std::vector<std::string> blockListPaths(const config::Configuration& configuration)
{
    const config::ModelFamily& family = *config::findModel(configuration.model, "model.name").family;
    const int blocks = blockCountOf(configuration);
    std::vector<NumberedList> lists = numberedLists(family.linears(configuration.modelFields));
    const auto total = [&] {
        int sum = 0;
        for (const NumberedList& list : lists)
            sum += list.length;
        return sum;
    };
    // Short lists beside the blocks (the two layers of an embedding) go first.
    while (!lists.empty() && total() > blocks)
        lists.erase(std::ranges::min_element(lists, {}, &NumberedList::length));
    std::vector<std::string> paths;
    if (total() == blocks)
        for (const NumberedList& list : lists)
            paths.push_back(list.path);
    return paths;
}

using config::CheckpointPolicy;

namespace {

constexpr const char* kCheckpointing = "techniques.checkpointing";

CheckpointPolicy policyOf(const SettingsDraft& draft)
{
    return config::parseCheckpointing(draft.technique("checkpointing").notation, "checkpointing");
}

config::CheckpointOpOptions opOptionsOf(const SettingsDraft& draft)
{
    return config::checkpointOpOptions(draft.technique("checkpointing").options);
}

// "[*model.transformer_blocks, *model.single_transformer_blocks]"
std::string blocksExpression(const config::Configuration& configuration)
{
    std::string text;
    for (const std::string& path : blockListPaths(configuration))
        text += (text.empty() ? "*model." : ", *model.") + path;
    return text.empty() ? text : "[" + text + "]";
}

// Products are counted as they run, in the forward and in the repetition alike.
TextLines everyProduct(const std::string& period)
{
    return {"        if op == torch.ops.aten.mm.default:  # the first of every " + period,
        "            kept = kept and products[context.is_recompute] % " + period + " == 0",
        "            products[context.is_recompute] += 1"};
}

TextLines decision(std::int64_t period)
{
    TextLines lines{"", "",
        "def kept_results():", "    \"\"\"Keeps the results of expensive ops, and runs the others again.\"\"\""};
    if (period > 1)
        append(lines, {"    products = {False: 0, True: 0}", ""});
    append(lines,
        {"    def decide(context, op, *args, **kwargs):",
            "        kept = getattr(op, \"overloadpacket\", None) in KEPT"});
    if (period > 1)
        append(lines, everyProduct(std::to_string(period)));
    append(lines,
        {"        return CheckpointPolicy.MUST_SAVE if kept else CheckpointPolicy.PREFER_RECOMPUTE", "",
            "    return create_selective_checkpoint_contexts(decide)", "", ""});
    return lines;
}

bool keepsResultsOfSome(const CheckpointPolicy& policy)
{
    return std::ranges::any_of(policy.groups,
        [](const config::BlockGroup& group) { return group.policy.kind == config::BlockPolicy::Kind::Ops; });
}

// Blocks that run again as a whole, where the policy chooses results.
std::string wholeBlocks(const SettingsDraft& draft, const CheckpointPolicy& policy)
{
    std::vector<config::BlockPolicy> blocks;
    for (const bool isChosen : config::checkpointedBlocks(policy, blockCountOf(draft.configuration())))
        blocks.push_back({.kind = isChosen ? config::BlockPolicy::Kind::All : config::BlockPolicy::Kind::None});
    return toText(config::policyOf(blocks, policy.offload));
}

void lackOfPolicy(SettingsDraft& draft)
{
    CheckpointPolicy policy = policyOf(draft);
    if (policy.kind == CheckpointPolicy::Kind::Budget)
        draft.lack(kCheckpointing,
            "a budget is planned when the trial runs: here all blocks run again; the remark of the run has "
            "the blocks that it became",
            wholeBlocks(draft, policy));
    if (policy.kind == CheckpointPolicy::Kind::Mixed && keepsResultsOfSome(policy))
        draft.lack(kCheckpointing,
            "one policy for all chosen blocks: here they run again as a whole, without kept results",
            wholeBlocks(draft, policy));
    if (policy.kind == CheckpointPolicy::Kind::Ops && policy.calls) {
        policy.calls.reset();
        draft.lack(kCheckpointing, "results are kept by op and not by the number of the call: here all of the list are",
            toText(policy));
    }
}

} // namespace

PythonCheckpointing::PythonCheckpointing(SettingsDraft& draft)
    : m_draft(draft)
    , m_isOn(draft.trains() && draft.asks(kCheckpointing))
    , m_blocks(blocksExpression(draft.configuration()))
{
    if (m_isOn)
        m_chosen = config::checkpointedBlocks(policyOf(draft), blockCountOf(draft.configuration()));
}

bool PythonCheckpointing::keepsResults() const
{
    return policyOf(m_draft).kind == CheckpointPolicy::Kind::Ops;
}

bool PythonCheckpointing::isPlain() const
{
    const CheckpointPolicy policy = policyOf(m_draft);
    const bool isWhole = policy.kind != CheckpointPolicy::Kind::Mixed && policy.kind != CheckpointPolicy::Kind::Budget;
    return m_isOn && isWhole && chosenBlocks() == "None" && !keepsResults() && !policy.offload
        && opOptionsOf(m_draft).stopsEarly;
}

std::string PythonCheckpointing::chosenBlocks() const
{
    if (std::ranges::all_of(*m_chosen, [](bool isChosen) { return isChosen; }))
        return "None";
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < m_chosen->size(); ++i)
        if ((*m_chosen)[i])
            numbers.push_back(std::to_string(i));
    return numbers.empty() ? "set()" : "{" + joined(numbers) + "}";
}

TextLines PythonCheckpointing::imports() const
{
    if (!m_isOn)
        return {};
    std::string names =
        keepsResults() ? "CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts" : "checkpoint";
    return {"from torch.utils.checkpoint import " + names};
}

TextLines PythonCheckpointing::keptResults()
{
    TextLines ops{"KEPT = {"};
    for (const std::string& op : opOptionsOf(m_draft).savedOps)
        ops.push_back("    torch.ops.aten." + op + ",");
    m_draft.take("techniques.checkpointing.save_ops");
    ops.push_back("}");
    append(ops, decision(policyOf(m_draft).period));
    m_draft.lack("techniques.checkpointing.force_recompute",
        "the function decides by op: compare args[1].shape with the layers' weights in decide()");
    return ops;
}

TextLines PythonCheckpointing::region() const
{
    std::string settings = "use_reentrant=False";
    if (keepsResults())
        settings += ", context_fn=kept_results";
    if (!opOptionsOf(m_draft).stopsEarly)
        settings += ", early_stop=False";
    const std::string call = "return checkpoint(block, *args, " + settings + ", **kwargs)";
    TextLines body = policyOf(m_draft).offload
        ? TextLines{"with torch.autograd.graph.save_on_cpu(pin_memory=DEVICE != \"cpu\"):", "    " + call}
        : TextLines{call};
    TextLines lines{
        "def checkpointed(block, *args, **kwargs):", "    \"\"\"Runs a block that keeps its inputs only.\"\"\""};
    append(lines, indented(body));
    append(lines, {"", ""});
    return lines;
}

TextLines PythonCheckpointing::functions()
{
    TextLines lines;
    if (!m_isOn)
        return lines;
    m_draft.take("techniques.checkpointing.early_stop");
    if (keepsResults())
        append(lines, keptResults());
    append(lines, region());
    lackOfPolicy(m_draft);
    if (policyOf(m_draft).offload)
        m_draft.lack(kCheckpointing,
            "with save_on_cpu the computation waits for each copy, and what all blocks share is copied once for each");
    return lines;
}

} // namespace headroom::experiments
