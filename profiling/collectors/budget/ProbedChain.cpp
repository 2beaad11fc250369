// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/budget/ProbedChain.h"

#include "core/config/techniques/CheckpointingDescriptor.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/families/ModelZoo.h"
#include "core/tensor/DeviceContext.h"
#include "core/tensor/SavedTensorHooks.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

constexpr const char* kCheckpointing = "checkpointing";

config::Trial withoutCheckpointing(config::Trial trial)
{
    trial.configuration.techniques.at(kCheckpointing).notation = "none";
    return trial;
}

// Less than any need, and far from an overflow: of a block whose backward never runs.
constexpr Bytes kNoNeed = -(Bytes{1} << 60);

// What the blocks before this one hold in this pass.
Bytes heldBefore(const MarkedPass& pass, std::size_t block)
{
    const MarkedInterval& next = block < pass.forward.size() ? pass.forward[block] : pass.turn;
    return next.begin - pass.forward.front().begin;
}

// What a block costs in one step; needs are absolute, without what is held before it (backward: and by it).
planning::BlockChoice costOf(const MarkedStep& step, std::size_t block)
{
    planning::BlockChoice cost{.heldBytes = kNoNeed, .forwardBytes = kNoNeed, .backwardBytes = kNoNeed};
    for (const MarkedPass& pass : step.passes) {
        const Bytes before = heldBefore(pass, block);
        const Bytes with = heldBefore(pass, block + 1);
        cost.heldBytes = std::max(cost.heldBytes, with - before);
        cost.forwardBytes = std::max(cost.forwardBytes, pass.forward[block].peak - before);
        if (pass.backward[block].isReached)
            cost.backwardBytes = std::max(cost.backwardBytes, pass.backward[block].peak - with);
        cost.seconds += pass.forward[block].seconds + pass.backward[block].seconds;
    }
    return cost;
}

bool recomputesLt(const MarkedStep& step, std::size_t block)
{
    return std::ranges::any_of(
        step.passes, [block](const MarkedPass& pass) { return pass.backward[block].recomputesLt; });
}

Bytes turnNeed(const MarkedStep& step)
{
    Bytes need = kNoNeed;
    for (const MarkedPass& pass : step.passes)
        need = std::max(need, pass.turn.peak - heldBefore(pass, pass.forward.size()));
    return need;
}

Bytes forwardPeak(const MarkedStep& step, std::size_t block)
{
    Bytes peak = 0;
    for (const MarkedPass& pass : step.passes)
        peak = std::max(peak, pass.forward[block].peak);
    return peak;
}

Bytes backwardPeak(const MarkedStep& step, std::size_t block)
{
    Bytes peak = 0;
    for (const MarkedPass& pass : step.passes)
        peak = std::max(peak, pass.backward[block].isReached ? pass.backward[block].peak : 0);
    return peak;
}

Bytes turnPeak(const MarkedStep& step)
{
    Bytes peak = 0;
    for (const MarkedPass& pass : step.passes)
        peak = std::max(peak, pass.turn.peak);
    return peak;
}

} // namespace

StepProbe::StepProbe(const config::Trial& trial, const simulator::SimulatedDevice& device)
    : m_trial(withoutCheckpointing(trial))
    , m_setting(trial.configuration.techniques.at(kCheckpointing))
    , m_offloads(config::parseCheckpointing(m_setting.notation, kCheckpointing).offload)
    , m_instruments(device, std::nullopt, DeviceLimit::Lifted)
    , m_models(m_trial)
{
    tensor::prepareSavedTensorHooks();
    m_models.load();
    m_models.loadHarness([](const std::string&, models::Model&) { });
    const tensor::MemoryScope scope(config::MemoryCategory::Inputs);
    models::Inputs inputs = models::makeInputs(
        m_trial.configuration, tensor::tensorOptions(m_trial.device, m_trial.configuration.workload.dtype));
    m_models.applyTechniques();
    const RunnableModel own = m_models.own();
    m_blocks = static_cast<std::size_t>(own.model.blockCount());
    m_marks = std::make_unique<StepMarks>(m_instruments, m_blocks);
    m_runner = std::make_unique<training::StepRunner>(
        own.model, own.techniques.hooks(), m_trial.configuration.workload, std::move(inputs), *m_marks);
    m_instruments.emptyCache();
    run(BlockPolicies(m_blocks, {.kind = config::BlockPolicy::Kind::All}), IntervalTimes::Off);
}

StepProbe::~StepProbe() = default;

void StepProbe::begin()
{
    m_instruments.releaseRecomputedLt();
    m_instruments.emptyCache();
}

std::unique_ptr<MarkedBlocks> StepProbe::blocksWith(const BlockPolicies& policies)
{
    config::TechniqueSetting setting = m_setting;
    setting.notation = toText(config::policyOf(policies, m_offloads));
    m_checkpointing = std::make_unique<techniques::Checkpointing>(setting);
    models::Model& model = m_models.model();
    model.setBlockExecution(nullptr);
    m_checkpointing->apply(model);
    return std::make_unique<MarkedBlocks>(*m_marks, model.takeBlockExecution());
}

MarkedStep StepProbe::step(std::unique_ptr<MarkedBlocks> execution, IntervalTimes times)
{
    m_models.model().setBlockExecution(std::move(execution));
    m_marks->beginStep(times);
    m_runner->run(m_step++);
    return m_marks->endStep();
}

MarkedStep StepProbe::run(const BlockPolicies& policies, IntervalTimes times)
{
    return step(blocksWith(policies), times);
}

SavableCalls StepProbe::surveyCalls()
{
    const auto options = config::checkpointOpOptions(m_setting.options);
    SavableCalls calls(m_blocks);
    auto execution = blocksWith(BlockPolicies(m_blocks, {.kind = config::BlockPolicy::Kind::All}));
    execution->survey(std::make_shared<techniques::OpRule>(options.savedOps), m_instruments, &calls);
    step(std::move(execution), IntervalTimes::Off);
    m_models.model().setBlockExecution(nullptr); // `calls` goes
    return calls;
}

void ProbedChain::add(const BlockPolicies& policies, const MarkedStep& step)
{
    m_chain.blocks.resize(policies.size());
    m_policies.resize(policies.size());
    m_recomputesLt.resize(policies.size());
    m_recomputesLtElsewhere = m_recomputesLtElsewhere || step.recomputesLtElsewhere;
    for (std::size_t block = 0; block < policies.size(); ++block) {
        std::vector<config::BlockPolicy>& known = m_policies[block];
        if (std::ranges::find(known, policies[block]) != known.end())
            continue;
        known.push_back(policies[block]);
        m_chain.blocks[block].choices.push_back(costOf(step, block));
        m_recomputesLt[block].push_back(recomputesLt(step, block));
    }
    m_chain.turnBase = std::max(m_chain.turnBase, turnNeed(step));
    m_chain.restBytes = std::max(m_chain.restBytes, step.restPeak);
}

bool ProbedChain::knows(const BlockPolicies& policies) const
{
    for (std::size_t block = 0; block < policies.size(); ++block)
        if (std::ranges::find(m_policies.at(block), policies[block]) == m_policies[block].end())
            return false;
    return true;
}

BlockPolicies ProbedChain::policiesOf(const planning::ChainChoices& choices) const
{
    BlockPolicies policies;
    for (std::size_t block = 0; block < choices.size(); ++block)
        policies.push_back(m_policies[block].at(choices[block]));
    return policies;
}

void ProbedChain::erase(std::size_t block, std::size_t choice)
{
    const auto at = static_cast<std::ptrdiff_t>(choice);
    auto& choices = m_chain.blocks[block].choices;
    choices.erase(choices.begin() + at);
    m_policies[block].erase(m_policies[block].begin() + at);
    m_recomputesLt[block].erase(m_recomputesLt[block].begin() + at);
}

std::optional<ProbedChain> ProbedChain::withoutRecomputedLt(Bytes kept) const
{
    if (kept == 0 || m_recomputesLtElsewhere)
        return std::nullopt;
    ProbedChain chain = *this;
    for (std::size_t block = 0; block < m_policies.size(); ++block) {
        for (std::size_t choice = m_policies[block].size(); choice-- > 0;)
            if (m_recomputesLt[block][choice])
                chain.erase(block, choice);
        if (chain.m_policies[block].empty())
            return std::nullopt;
        chain.m_chain.blocks[block].forwardBase -= kept;
        chain.m_chain.blocks[block].backwardBase -= kept;
    }
    chain.m_chain.turnBase -= kept;
    chain.m_chain.restBytes -= kept;
    return chain;
}

void ProbedChain::correct(const planning::ChainChoices& choices, const MarkedStep& step)
{
    Bytes held = 0;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        planning::ChainBlock& block = m_chain.blocks[i];
        const planning::BlockChoice& choice = block.choices[choices[i]];
        block.forwardBase = forwardPeak(step, i) - held - choice.forwardBytes;
        held += choice.heldBytes;
        if (choice.backwardBytes != kNoNeed)
            block.backwardBase = backwardPeak(step, i) - held - choice.backwardBytes;
    }
    m_chain.turnBase = turnPeak(step) - held;
    m_chain.restBytes = step.restPeak;
}

} // namespace headroom::collectors
