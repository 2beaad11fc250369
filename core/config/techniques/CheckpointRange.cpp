// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/CheckpointRange.h"

#include "core/config/techniques/CheckpointNotation.h"
#include "core/config/techniques/CheckpointStrategy.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace headroom::config {
namespace {

// Of every so many products one is kept; each of these keeps a part of what the one before it keeps.
constexpr std::array kProductPeriods{2, 4, 8};
// Blocks by which sets have to differ in number for an order to be certain, wherever they lie.
constexpr std::ptrdiff_t kClearlyMoreBlocks = 2;
// Patterns with longer periods leave or checkpoint a few blocks only, as the first and last ones do.
constexpr std::int64_t kLongestPeriod = 64;

/// A policy with what its order follows from.
struct RankedPolicy {
    RangeSetting setting;
    std::vector<bool> left; ///< the blocks that are left as they are
    std::ptrdiff_t leftCount = 0;
    std::int64_t keptEvery = 0; ///< ops: of so many products one is kept; 0: not ops
    bool offload = false;
};

// "transformer_blocks.0.attn1.to_q" as "transformer_blocks." and what follows the number; nothing without a number.
std::pair<std::string, std::string> atBlockNumber(const std::string& path)
{
    for (std::size_t begin = path.find('.'); begin != std::string::npos; begin = path.find('.', begin + 1)) {
        const std::size_t end = path.find_first_not_of("0123456789", begin + 1);
        if (end != std::string::npos && end > begin + 1 && path[end] == '.')
            return {path.substr(0, begin + 1), path.substr(end)};
    }
    return {};
}

// Whether one list of blocks has all of them, and each layer as often.
bool areBlocksAlike(const ModelContext& context, std::int64_t blocks)
{
    if (!context.family.linears)
        return false;
    std::set<std::string> lists;
    std::map<std::string, std::int64_t> layers;
    for (const std::string& path : context.family.linears(context.fields))
        if (const auto [list, layer] = atBlockNumber(path); !list.empty()) {
            lists.insert(list);
            ++layers[layer];
        }
    return lists.size() == 1
        && std::ranges::all_of(layers, [&](const auto& layer) { return layer.second % blocks == 0; });
}

std::string blocksText(std::int64_t first, std::int64_t last)
{
    return "blocks:" + std::to_string(first) + (first == last ? "" : "-" + std::to_string(last));
}

/// Collects the policies, and orders them.
class CheckpointPolicies {
public:
    explicit CheckpointPolicies(const ModelContext& context)
        : m_blocks(context.family.blocks(context.fields))
        , m_alike(areBlocksAlike(context, m_blocks))
    {
        add("none", 0, "last");
        addPlain(false);
        addSpread();
        addOps(false);
        addPlain(true);
        addOps(true);
    }

    TechniqueRange range() const
    {
        TechniqueRange range;
        for (const RankedPolicy& policy : m_policies)
            range.settings.push_back(policy.setting);
        for (std::size_t i = 0; i < m_policies.size(); ++i)
            for (std::size_t j = 0; j < m_policies.size(); ++j) {
                // Inputs that are moved to the host save memory, and never time.
                const bool movesAsMuch = m_policies[i].offload || !m_policies[j].offload;
                if (i == j || !movesAsMuch || !savesAsMuch(m_policies[i], m_policies[j]))
                    continue;
                range.lessMemory.emplace_back(i, j);
                range.lessTime.emplace_back(j, i);
            }
        return range;
    }

private:
    void addPlain(bool offload)
    {
        add("all", 1, "last", offload);
        for (std::int64_t left = 1; left < m_blocks; ++left) // the last so many
            add(blocksText(0, m_blocks - left - 1), 2, "last", offload);
        for (std::int64_t left = 1; left < m_blocks && !offload; ++left) // the first so many
            add(blocksText(left, m_blocks - 1), 2, "first", offload);
    }

    void addSpread()
    {
        for (const CheckpointStrategy& strategy : checkpointStrategies())
            add("strategy:" + strategy.name, 2, "spread");
        for (const char* mode : {"every:", "except:"})
            for (std::int64_t period = 2; period <= std::min(m_blocks, kLongestPeriod); ++period)
                add(mode + std::to_string(period), 2, "spread");
    }

    void addOps(bool offload)
    {
        add("ops", 2, "ops", offload, 1);
        for (const int period : kProductPeriods)
            add("ops:mm/" + std::to_string(period), 2, "ops", offload, period);
    }

    void add(const std::string& notation, int effort, const std::string& kind, bool offload = false,
        std::int64_t keptEvery = 0)
    {
        constexpr int kHostMemory = 2;
        RankedPolicy policy;
        policy.keptEvery = keptEvery;
        policy.offload = offload;
        const std::vector<bool> blocks = checkpointedBlocks(parseCheckpointing(notation, "checkpointing"), m_blocks);
        for (const bool checkpointed : blocks)
            policy.left.push_back(!checkpointed);
        policy.leftCount = std::ranges::count(policy.left, true);
        const double share = keptEvery > 0 ? 1.0 / static_cast<double>(keptEvery)
                                           : static_cast<double>(policy.leftCount) / static_cast<double>(m_blocks);
        policy.setting = {notation + (offload ? "+offload" : ""), {}, effort + (offload ? kHostMemory : 0),
            kind + (offload ? "+offload" : ""), share};
        m_policies.push_back(std::move(policy));
    }

    // Offload apart.
    bool savesAsMuch(const RankedPolicy& more, const RankedPolicy& less) const
    {
        if (less.keptEvery > 0)
            return more.keptEvery > 0 ? more.keptEvery % less.keptEvery == 0 : more.leftCount == 0;
        if (more.keptEvery > 0)
            return less.leftCount == m_blocks; // all blocks as they are
        if (m_alike && more.leftCount + kClearlyMoreBlocks <= less.leftCount)
            return true;
        return std::ranges::equal(more.left, less.left, [](bool left, bool other) { return !left || other; });
    }

    std::int64_t m_blocks;
    bool m_alike;
    std::vector<RankedPolicy> m_policies;
};

} // namespace

TechniqueRange checkpointRange(const ModelContext& context)
{
    if (context.workload.step == StepKind::Inference || context.family.blocks(context.fields) == 0)
        return {{{"none"}}};
    return CheckpointPolicies(context).range();
}

} // namespace headroom::config
