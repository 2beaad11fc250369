// SPDX-License-Identifier: Apache-2.0
#include "core/training/StepRunner.h"

#include "core/tensor/MemoryScopes.h"
#include "core/training/Gradients.h"
#include "core/training/Loss.h"

namespace headroom::training {
namespace {

constexpr double kLearningRate = 1e-3;

std::vector<at::Tensor> trainable(const models::Model& model)
{
    std::vector<at::Tensor> parameters = model.parameters();
    std::erase_if(parameters, [](const at::Tensor& parameter) { return !parameter.requires_grad(); });
    return parameters;
}

} // namespace

StepRunner::StepRunner(models::Model& model, techniques::TechniqueStack* techniques, const config::Workload& workload,
    models::Inputs inputs, StepObserver& observer)
    : m_model(model)
    , m_techniques(techniques)
    , m_workload(workload)
    , m_inputs(std::move(inputs))
    , m_observer(observer)
    , m_parameters(trainable(model))
{
    m_model.train(workload.step != config::StepKind::Inference);
}

StepOutput StepRunner::run(std::int64_t step)
{
    if (m_techniques != nullptr)
        m_techniques->beginStep();
    if (m_workload.step == config::StepKind::Inference)
        return {runInference(step), {}};
    clearGradients(m_parameters, m_workload.gradients);
    StepOutput result;
    for (int micro = 0; micro < m_workload.accumulate; ++micro) {
        result = {};
        result = runMicroStep(step);
    }
    update(step);
    return result;
}

at::Tensor StepRunner::runInference(std::int64_t step)
{
    const torch::NoGradGuard noGradients;
    const PhaseScope phase(m_observer, "forward", step);
    return m_model.forward(m_inputs);
}

StepOutput StepRunner::runMicroStep(std::int64_t step)
{
    StepOutput result;
    at::Tensor loss;
    {
        const PhaseScope phase(m_observer, "forward", step);
        at::Tensor output = m_model.forward(m_inputs);
        if (!m_target.defined()) {
            const tensor::MemoryScope scope(config::MemoryCategory::Inputs);
            m_target = makeTarget(m_workload.loss, output.detach());
        }
        loss = lossOf(m_workload.loss, output, m_target);
        if (m_workload.accumulate > 1)
            loss = loss / m_workload.accumulate;
        result = {output.detach(), loss.detach()};
    }
    const PhaseScope phase(m_observer, "backward", step);
    loss.backward();
    return result;
}

void StepRunner::update(std::int64_t step)
{
    if (m_workload.clipGradNorm > 0) {
        const PhaseScope phase(m_observer, "clip", step);
        clipGradients(m_parameters, m_workload.clipGradNorm);
    }
    if (m_workload.step != config::StepKind::Train)
        return;
    const PhaseScope phase(m_observer, "optimizer", step);
    sgdStep(m_parameters, kLearningRate);
}

} // namespace headroom::training
