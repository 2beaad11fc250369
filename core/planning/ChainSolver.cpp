// SPDX-License-Identifier: Apache-2.0
#include "core/planning/ChainSolver.h"

#include "core/planning/ChainRelaxation.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace headroom::planning {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr Bytes kImpossible = std::numeric_limits<Bytes>::min() / 4;
constexpr std::size_t kFirstPartialPlans = 64; // of the search that only finds a plan to beat

// What the blocks before a block may hold, and with it, so that a choice stays within the budget.
struct Room {
    Bytes before;
    Bytes with;
};

Room roomOf(const ChainBlock& block, const BlockChoice& choice, Bytes budget)
{
    return {budget - block.forwardBase - choice.forwardBytes, budget - block.backwardBase - choice.backwardBytes};
}

// For each block the most that it and those before may hold so that choices for the rest exist; the last entry is that
// before the first block.
struct HeldLimits {
    std::vector<Bytes> upTo;
    Bytes atStart = 0;
};

HeldLimits heldLimits(const BlockChain& chain, Bytes budget)
{
    HeldLimits limits{std::vector<Bytes>(chain.blocks.size()), budget - chain.turnBase};
    for (std::size_t i = chain.blocks.size(); i-- > 0;) {
        limits.upTo[i] = limits.atStart;
        Bytes before = kImpossible;
        for (const BlockChoice& choice : chain.blocks[i].choices) {
            const Room room = roomOf(chain.blocks[i], choice, budget);
            before = std::max(
                before, std::min({room.before, room.with - choice.heldBytes, limits.upTo[i] - choice.heldBytes}));
        }
        limits.atStart = before;
    }
    return limits;
}

bool isFeasible(const BlockChain& chain, Bytes budget)
{
    return chain.restBytes <= budget && heldLimits(chain, budget).atStart >= 0;
}

// Choices for the blocks so far.
struct PartialPlan {
    Bytes held = 0;
    double seconds = 0;
    double bound = 0; ///< of the whole plan's seconds
    std::uint32_t parent = 0; ///< among those of one block less
    std::uint32_t choice = 0;
};

/// The search for one budget.
class Search {
public:
    Search(const BlockChain& chain, Bytes budget)
        : m_chain(chain)
        , m_budget(budget)
        , m_limits(heldLimits(chain, budget))
        , m_relaxation(chain, m_limits.upTo)
    {
    }

    /// Keeps at most `most` partial plans for each block, none that cannot beat `secondsToBeat`.
    std::optional<ChainPlan> run(std::size_t most, double secondsToBeat)
    {
        m_dropped = kNever;
        m_layers.assign(1, {PartialPlan{}});
        for (std::size_t block = 0; block < m_chain.blocks.size(); ++block)
            m_layers.push_back(undominated(extended(block, secondsToBeat), most));
        return m_layers.back().empty() ? std::nullopt : std::optional(best());
    }

    /// The least bound of what a search has dropped for want of room.
    double dropped() const { return m_dropped; }

private:
    std::vector<PartialPlan> extended(std::size_t block, double secondsToBeat) const;
    std::vector<PartialPlan> undominated(std::vector<PartialPlan> plans, std::size_t most);
    ChainPlan best() const;

    const BlockChain& m_chain;
    Bytes m_budget;
    HeldLimits m_limits;
    ChainRelaxation m_relaxation;
    std::vector<std::vector<PartialPlan>> m_layers;
    double m_dropped = kNever;
};

std::vector<PartialPlan> Search::extended(std::size_t block, double secondsToBeat) const
{
    const ChainBlock& here = m_chain.blocks[block];
    const std::vector<PartialPlan>& before = m_layers.back();
    std::vector<PartialPlan> plans;
    for (std::uint32_t parent = 0; parent < before.size(); ++parent)
        for (std::uint32_t number = 0; number < here.choices.size(); ++number) {
            const BlockChoice& choice = here.choices[number];
            const Room room = roomOf(here, choice, m_budget);
            const Bytes held = before[parent].held + choice.heldBytes;
            if (before[parent].held > room.before || held > room.with || held > m_limits.upTo[block])
                continue;
            const double seconds = before[parent].seconds + choice.seconds;
            const double bound = seconds + m_relaxation.leastSecondsFrom(block + 1, held);
            if (bound < secondsToBeat)
                plans.push_back({held, seconds, bound, parent, number});
        }
    return plans;
}

std::vector<PartialPlan> Search::undominated(std::vector<PartialPlan> plans, std::size_t most)
{
    std::ranges::stable_sort(plans, [](const PartialPlan& a, const PartialPlan& b) {
        return a.held != b.held ? a.held < b.held : a.seconds < b.seconds;
    });
    std::vector<PartialPlan> kept;
    for (const PartialPlan& plan : plans)
        if (kept.empty() || plan.seconds < kept.back().seconds)
            kept.push_back(plan);
    if (kept.size() <= most)
        return kept;
    std::ranges::stable_sort(kept, {}, &PartialPlan::bound);
    m_dropped = std::min(m_dropped, kept[most].bound);
    kept.resize(most);
    return kept;
}

ChainPlan Search::best() const
{
    const auto& last = m_layers.back();
    const PartialPlan* plan = &*std::ranges::min_element(last, {}, &PartialPlan::seconds);
    ChainPlan result{.choices = ChainChoices(m_chain.blocks.size()), .seconds = plan->seconds};
    for (std::size_t block = m_chain.blocks.size(); block-- > 0;) {
        result.choices[block] = plan->choice;
        plan = &m_layers[block][plan->parent];
    }
    result.peakBytes = peakBytesOf(m_chain, result.choices);
    return result;
}

} // namespace

std::optional<ChainPlan> leastSeconds(const BlockChain& chain, Bytes budget, SolverEffort effort)
{
    if (!isFeasible(chain, budget))
        return std::nullopt;
    Search search(chain, budget);
    std::optional<ChainPlan> plan = search.run(kFirstPartialPlans, kNever);
    double proven = search.dropped();
    if (plan && proven < plan->seconds) {
        const double toBeat = plan->seconds * (1 - effort.tie);
        const std::optional<ChainPlan> better = search.run(effort.mostPartialPlans, toBeat);
        if (better)
            plan = better;
        proven = std::min(search.dropped(), toBeat);
    }
    plan->provenSeconds = std::min(plan->seconds, proven);
    return plan;
}

ChainPlan leastPeak(const BlockChain& chain, SolverEffort effort)
{
    Bytes below = 0; // not feasible, or nothing is needed
    Bytes enough = peakBytesOf(chain, ChainChoices(chain.blocks.size()));
    while (enough - below > 1) {
        const Bytes middle = below + (enough - below) / 2;
        (isFeasible(chain, middle) ? enough : below) = middle;
    }
    return *leastSeconds(chain, enough, effort);
}

} // namespace headroom::planning
