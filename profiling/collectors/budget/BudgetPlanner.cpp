// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/budget/BudgetPlanner.h"

#include "core/config/techniques/CheckpointingDescriptor.h"
#include "profiling/collectors/budget/PolicyLevels.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

constexpr int kMostRounds = 6;

// Products within ops whose shapes are named run again: a call's number says nothing of that.
bool recomputesByName(const config::Trial& trial)
{
    return !config::checkpointOpOptions(trial.configuration.techniques.at("checkpointing").options)
                .recomputedModules.empty();
}

std::vector<std::vector<config::BlockPolicy>> plainLevels(std::size_t blocks)
{
    using Kind = config::BlockPolicy::Kind;
    return std::vector<std::vector<config::BlockPolicy>>(
        blocks, {{.kind = Kind::All}, {.kind = Kind::Ops}, {.kind = Kind::None}});
}

} // namespace

BudgetPlanner::BudgetPlanner(
    const config::Trial& trial, const simulator::SimulatedDevice& device, std::function<void()> pause)
    : m_probe(trial, device)
    , m_pause(std::move(pause))
    , m_choosesCalls(!recomputesByName(trial))
{
    probeLevels();
}

// A step for each level; blocks with fewer levels have their last one in those that remain.
void BudgetPlanner::probeLevels()
{
    std::vector<std::vector<config::BlockPolicy>> levels = plainLevels(m_probe.blocks());
    if (m_choosesCalls) {
        const SavableCalls calls = m_probe.surveyCalls();
        for (std::size_t block = 0; block < levels.size(); ++block)
            levels[block] = policyLevels(calls[block]);
    }
    std::size_t most = 0;
    for (const auto& ofBlock : levels)
        most = std::max(most, ofBlock.size());
    for (std::size_t level = 0; level < most; ++level) {
        BlockPolicies policies;
        for (const auto& ofBlock : levels)
            policies.push_back(ofBlock[std::min(level, ofBlock.size() - 1)]);
        probe(policies);
    }
    probe(BlockPolicies(m_probe.blocks(), {.kind = config::BlockPolicy::Kind::Ops}));
    probe(BlockPolicies(m_probe.blocks(), {.kind = config::BlockPolicy::Kind::Ops, .period = 2}));
}

void BudgetPlanner::probe(const BlockPolicies& policies)
{
    m_pause();
    m_chain.add(policies, m_probe.run(policies, IntervalTimes::On));
    m_pause();
    const MarkedStep step = m_probe.run(policies, IntervalTimes::Off);
    remember({policies, step.peak(), step.seconds});
}

void BudgetPlanner::remember(const PlannedBlocks& plan)
{
    if (std::ranges::find(m_known, plan.policies, &PlannedBlocks::policies) == m_known.end())
        m_known.push_back(plan);
}

std::optional<PlannedBlocks> BudgetPlanner::bestKnown(Bytes budget) const
{
    std::optional<PlannedBlocks> best;
    for (const PlannedBlocks& plan : m_known)
        if (plan.peakBytes <= budget && (!best || plan.seconds < best->seconds))
            best = plan;
    return best;
}

PlannedBlocks BudgetPlanner::judged(const planning::ChainChoices& choices, ProbedChain& chain)
{
    m_pause();
    const MarkedStep step = m_probe.run(chain.policiesOf(choices), IntervalTimes::Off);
    const PlannedBlocks plan{chain.policiesOf(choices), step.peak(), step.seconds};
    chain.correct(choices, step);
    remember(plan);
    return plan;
}

std::optional<PlannedBlocks> BudgetPlanner::within(Bytes budget)
{
    ProbedChain chain = m_chain;
    planning::ChainChoices before;
    for (int round = 0; round < kMostRounds; ++round) {
        const auto solved = planning::leastSeconds(chain.chain(), budget);
        if (!solved || solved->choices == before)
            break;
        before = solved->choices;
        judged(solved->choices, chain);
    }
    return bestKnown(budget);
}

PlannedBlocks BudgetPlanner::least()
{
    ProbedChain chain = m_chain;
    planning::ChainChoices before;
    for (int round = 0; round < kMostRounds; ++round) {
        const planning::ChainPlan solved = planning::leastPeak(chain.chain());
        if (solved.choices == before)
            break;
        before = solved.choices;
        judged(solved.choices, chain);
    }
    return *std::ranges::min_element(m_known, {}, &PlannedBlocks::peakBytes);
}

} // namespace headroom::collectors
