// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/budget/StepProbe.h"

#include "core/config/techniques/CheckpointingDescriptor.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/families/ModelZoo.h"
#include "core/tensor/DeviceContext.h"
#include "core/tensor/SavedTensorHooks.h"

namespace headroom::collectors {
namespace {

constexpr const char* kCheckpointing = "checkpointing";

config::Trial withoutCheckpointing(config::Trial trial)
{
    trial.configuration.techniques.at(kCheckpointing).notation = "none";
    return trial;
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

} // namespace headroom::collectors
