// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/budget/BudgetPlanner.h"

#include "core/config/techniques/CheckpointingDescriptor.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace headroom::collectors {
namespace {

constexpr std::size_t kMostLevels = 6; // between nothing and everything: each costs a step
constexpr double kSameRate = 0.9; // calls whose rates differ by less are kept or recomputed together

using CallNumbers = std::vector<std::int64_t>;

double rateOf(const SavableCall& call)
{
    return call.seconds / static_cast<double>(std::max<Bytes>(call.bytes, 1));
}

// The calls in groups, those first that save most time for each byte.
std::vector<CallNumbers> groupsByRate(const std::vector<SavableCall>& calls)
{
    CallNumbers order(calls.size());
    std::iota(order.begin(), order.end(), 0);
    const auto rate = [&](std::int64_t call) { return rateOf(calls[static_cast<std::size_t>(call)]); };
    std::ranges::stable_sort(order, std::ranges::greater{}, rate);
    std::vector<CallNumbers> groups;
    for (const std::int64_t call : order)
        if (groups.empty() || rate(call) < kSameRate * rate(groups.back().front()))
            groups.push_back({call});
        else
            groups.back().push_back(call);
    return groups;
}

// Joins the neighbours whose rates are closest.
void joinClosest(std::vector<CallNumbers>& groups, const std::vector<SavableCall>& calls)
{
    std::size_t closest = 0;
    double least = 0;
    for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
        const double rate = rateOf(calls[static_cast<std::size_t>(groups[i].front())]);
        const double next = rateOf(calls[static_cast<std::size_t>(groups[i + 1].front())]);
        if (rate > 0 && next / rate > least) {
            least = next / rate;
            closest = i;
        }
    }
    CallNumbers& into = groups[closest];
    into.insert(into.end(), groups[closest + 1].begin(), groups[closest + 1].end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(closest) + 1);
}

config::BlockList listOf(CallNumbers calls)
{
    std::ranges::sort(calls);
    config::BlockList list;
    for (const std::int64_t call : calls)
        if (!list.ranges.empty() && list.ranges.back().last + 1 == call)
            list.ranges.back().last = call;
        else
            list.ranges.push_back({call, call});
    return list;
}

constexpr int kMostRounds = 8;
constexpr std::size_t kMostLeast = 3;
// Times of a simulation are not exact to the last digit.
constexpr planning::SolverEffort kEffort{.mostPartialPlans = 5'000, .tie = 1e-4};

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

std::optional<PlannedBlocks> fastestWithin(const std::vector<PlannedBlocks>& plans, Bytes budget)
{
    std::optional<PlannedBlocks> best;
    for (const PlannedBlocks& plan : plans)
        if (plan.peakBytes <= budget && (!best || plan.seconds < best->seconds))
            best = plan;
    return best;
}

} // namespace

std::vector<config::BlockPolicy> policyLevels(const std::vector<SavableCall>& calls)
{
    using Kind = config::BlockPolicy::Kind;
    std::vector<config::BlockPolicy> levels{{.kind = Kind::All}};
    if (!calls.empty()) {
        std::vector<CallNumbers> groups = groupsByRate(calls);
        while (groups.size() > kMostLevels)
            joinClosest(groups, calls);
        CallNumbers kept;
        for (std::size_t group = 0; group + 1 < groups.size(); ++group) {
            kept.insert(kept.end(), groups[group].begin(), groups[group].end());
            levels.push_back({.kind = Kind::Ops, .calls = listOf(kept)});
        }
        levels.push_back({.kind = Kind::Ops});
    }
    levels.push_back({.kind = Kind::None});
    return levels;
}

BudgetPlanner::BudgetPlanner(
    const config::Trial& trial, const simulator::SimulatedDevice& device, std::function<void()> pause)
    : m_trial(trial)
    , m_device(device)
    , m_pause(std::move(pause))
    , m_choosesCalls(!recomputesByName(trial))
{
    probeLevels();
}

StepProbe& BudgetPlanner::steps()
{
    if (!m_probe)
        m_probe = std::make_unique<StepProbe>(m_trial, m_device);
    return *m_probe;
}

// A step for each level; blocks with fewer levels have their last one in those that remain.
void BudgetPlanner::probeLevels()
{
    std::vector<std::vector<config::BlockPolicy>> levels = plainLevels(steps().blocks());
    if (m_choosesCalls) {
        const SavableCalls calls = steps().surveyCalls();
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
    for (const std::int64_t period : {1, 2}) {
        const BlockPolicies ops(steps().blocks(), {.kind = config::BlockPolicy::Kind::Ops, .period = period});
        if (!m_chain.knows(ops))
            probe(ops);
    }
    m_leanChain = m_chain.withoutRecomputedLt(steps().recomputedLtBytes());
}

void BudgetPlanner::probe(const BlockPolicies& policies)
{
    m_pause();
    const MarkedStep step = steps().run(policies, IntervalTimes::On);
    m_chain.add(policies, step);
    const Bytes unused = step.recomputesLt() ? 0 : steps().recomputedLtBytes();
    m_levels.push_back({policies, step.peak() - unused, step.seconds});
}

std::optional<PlannedBlocks> BudgetPlanner::bestKnown(Bytes budget) const
{
    return fastestWithin(m_known, budget);
}

// As in a trial: a step with an empty cache, before which nothing was recomputed, and one in which the allocator finds
// its blocks again, which may be larger than what was asked for.
MarkedStep BudgetPlanner::judge(const BlockPolicies& policies)
{
    m_pause();
    steps().begin();
    MarkedStep first = steps().run(policies, IntervalTimes::Off);
    m_pause();
    MarkedStep second = steps().run(policies, IntervalTimes::Off);
    const Bytes peak = std::max(first.peak(), second.peak());
    const auto known = std::ranges::find(m_known, policies, &PlannedBlocks::policies);
    if (known == m_known.end())
        m_known.push_back({policies, peak, second.seconds});
    else
        known->peakBytes = std::max(known->peakBytes, peak);
    return first.peak() > second.peak() ? first : second;
}

// A step's time is no exact sum: where the host is what is slow, a policy of all blocks may be better than sums say.
void BudgetPlanner::judgeBestUniform(Bytes budget)
{
    const auto best = fastestWithin(m_levels, budget);
    if (best && std::ranges::find(m_known, best->policies, &PlannedBlocks::policies) == m_known.end())
        judge(best->policies);
}

// What a step takes beyond the budget is taken off what the next plan may have: corrected sums alone may go back and
// forth between two plans that are both a little too large. Returns what the blocks take of the plan that is judged to
// be within the budget; plans that take `mostSeconds` are of no use.
std::optional<double> BudgetPlanner::refine(ProbedChain chain, Bytes budget, double mostSeconds)
{
    Bytes target = budget;
    for (int round = 0; round < kMostRounds; ++round) {
        const auto solved = planning::leastSeconds(chain.chain(), target, kEffort);
        if (!solved || solved->seconds >= mostSeconds)
            break;
        const BlockPolicies policies = chain.policiesOf(solved->choices);
        chain.correct(solved->choices, judge(policies));
        const Bytes peak = std::ranges::find(m_known, policies, &PlannedBlocks::policies)->peakBytes;
        if (peak <= budget)
            return solved->seconds;
        target -= peak - budget;
    }
    return std::nullopt;
}

std::optional<PlannedBlocks> BudgetPlanner::within(Bytes budget)
{
    judgeBestUniform(budget);
    const auto seconds = refine(m_chain, budget, std::numeric_limits<double>::infinity());
    if (m_leanChain)
        refine(*m_leanChain, budget, seconds.value_or(std::numeric_limits<double>::infinity()));
    return bestKnown(budget);
}

// Judges the plans of least peak.
void BudgetPlanner::lower(ProbedChain chain)
{
    planning::ChainChoices before;
    for (int round = 0; round < kMostRounds; ++round) {
        const planning::ChainPlan solved = planning::leastPeak(chain.chain(), kEffort);
        if (solved.choices == before)
            break;
        before = solved.choices;
        chain.correct(before, judge(chain.policiesOf(before)));
    }
}

std::vector<PlannedBlocks> BudgetPlanner::least()
{
    const BlockPolicies lowest = std::ranges::min_element(m_levels, {}, &PlannedBlocks::peakBytes)->policies;
    judge(lowest);
    lower(m_chain);
    if (m_leanChain)
        lower(*m_leanChain);
    std::vector<PlannedBlocks> least = m_known;
    std::ranges::stable_sort(least, {}, &PlannedBlocks::peakBytes);
    // A whole trial may order them otherwise by a few blocks of the allocator: the same policy for all is never left
    // out.
    const PlannedBlocks uniform = *std::ranges::find(least, lowest, &PlannedBlocks::policies);
    least.resize(std::min(least.size(), kMostLeast));
    if (std::ranges::find(least, lowest, &PlannedBlocks::policies) == least.end())
        least.push_back(uniform);
    return least;
}

} // namespace headroom::collectors
