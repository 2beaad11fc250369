// SPDX-License-Identifier: Apache-2.0
#include "core/training/StepRunner.h"

#include "core/autocast/AutocastRegion.h"
#include "core/base/Error.h"
#include "core/config/LossChunks.h"
#include "core/memory/MemoryAttribution.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterHome.h"
#include "core/techniques/optimizer/Optimizer.h"
#include "core/tensor/SideStream.h"
#include "core/training/FusedCrossEntropy.h"
#include "core/training/Gradients.h"
#include "core/training/Loss.h"

#include <span>

namespace headroom::training {
namespace {

// torch/amp/grad_scaler.py.
constexpr double kFirstScale = 65536;
constexpr double kGrowth = 2;
constexpr double kBackoff = 0.5;
constexpr std::int64_t kGrowthInterval = 2000;

std::vector<at::Tensor> trainable(const models::Model& model)
{
    std::vector<at::Tensor> parameters = model.parameters();
    std::erase_if(parameters, [](const at::Tensor& parameter) { return !parameter.requires_grad(); });
    return parameters;
}

std::optional<c10::ScalarType> autocastType(const config::Workload& workload)
{
    if (workload.autocast == "off")
        return std::nullopt;
    return workload.autocast == "bfloat16" ? at::kBFloat16 : at::kHalf;
}

c10::Device deviceOf(const models::Model& model)
{
    return tensor::deviceOf(model.parameters().front());
}

// What a model hands on is never lowered.
at::Tensor handedOn(const at::Tensor& output, const config::Workload& workload)
{
    const bool isRaised =
        workload.outputDtype == config::OutputDtype::Float32 && at::isReducedFloatingType(output.scalar_type());
    return isRaised ? output.to(at::kFloat) : output;
}

// All are raised before the first is released.
std::vector<at::Tensor> handedOn(const std::vector<at::Tensor>& outputs, const config::Workload& workload)
{
    std::vector<at::Tensor> result;
    for (const at::Tensor& output : outputs)
        result.push_back(handedOn(output, workload));
    return result;
}

} // namespace

LossScale::LossScale(c10::Device device)
    : m_scale(at::full({}, kFirstScale, at::TensorOptions().dtype(at::kFloat).device(device)))
    , m_goodUpdates(at::zeros({}, at::TensorOptions().dtype(at::kInt).device(device)))
    , m_foundInfinite(at::zeros({}, m_scale.options()))
{
}

void LossScale::unscale(const std::vector<at::Tensor>& parameters)
{
    const torch::NoGradGuard noGradients;
    m_foundInfinite.zero_();
    // By way of float64: the reciprocal of a large scale is a small number.
    const at::Tensor inverse = m_scale.to(at::kDouble).reciprocal().to(at::kFloat);
    if (const std::vector<at::Tensor> gradients = gradientsOf(parameters); !gradients.empty())
        at::_amp_foreach_non_finite_check_and_unscale_(gradients, m_foundInfinite, inverse);
}

GradientCheck LossScale::check() const
{
    return tensor::readScalar(m_foundInfinite) > 0 ? GradientCheck::NotFinite : GradientCheck::Finite;
}

void LossScale::adapt()
{
    const torch::NoGradGuard noGradients;
    at::_amp_update_scale_(m_scale, m_goodUpdates, m_foundInfinite, kGrowth, kBackoff, kGrowthInterval);
}

StepRunner::StepRunner(models::Model& model, techniques::StepHookLists hooks, const config::Workload& workload,
    models::Inputs inputs, StepObserver& observer)
    : m_model(model)
    , m_hooks(std::move(hooks))
    , m_workload(workload)
    , m_inputs(std::move(inputs))
    , m_observer(observer)
    , m_parameters(trainable(model))
    , m_isLossFused(config::isLossFused(workload))
    , m_lossChunks(config::lossChunks(workload))
    , m_autocast(autocastType(workload))
    , m_autocastLists(tensor::autocastListsOf(deviceOf(model)))
{
    if (m_autocast == at::kHalf && workload.step != config::StepKind::Inference && !m_parameters.empty())
        m_lossScale.emplace(tensor::deviceOf(m_parameters.front()));
    m_model.train(workload.step != config::StepKind::Inference);
    m_hooks.holdInputs(m_inputs);
}

StepOutput StepRunner::run(std::int64_t step)
{
    m_hooks.beginStep();
    if (m_workload.step == config::StepKind::Inference)
        return {.output = runInference(step), .loss = {}};
    labelScalars();
    clearGradients(m_parameters, m_workload.gradients);
    if (m_lossSum.defined())
        m_lossSum.zero_();
    StepOutput result;
    for (int micro = 0; micro < m_workload.accumulate; ++micro) {
        result = {};
        result = runMicroStep(step);
        m_hooks.microStepDone(result.loss);
    }
    update(step);
    if (m_lossSum.defined())
        result.loss = m_lossSum;
    m_hooks.updateDone(result.loss);
    return result;
}

at::Tensor StepRunner::runInference(std::int64_t step)
{
    const torch::NoGradGuard noGradients;
    const PhaseScope phase(m_observer, "forward", step);
    const tensor::AutocastRegion autocast(m_autocast, m_autocastLists);
    return handedOn(m_model.forward(inputsOfMicroStep()), m_workload);
}

StepOutput StepRunner::runMicroStep(std::int64_t step)
{
    StepOutput result;
    at::Tensor loss;
    {
        const PhaseScope phase(m_observer, "forward", step);
        const tensor::AutocastRegion autocast(m_autocast, m_autocastLists);
        std::vector<at::Tensor> outputs;
        loss = m_isLossFused ? fusedLoss() : forwardAndLoss(outputs);
        if (m_workload.output == config::ModelOutput::Held)
            hold(outputs, result);
        result.loss = loss.detach();
        addToSum(result.loss);
        if (m_lossScale)
            loss = m_lossScale->scaled(loss);
    }
    const PhaseScope phase(m_observer, "backward", step);
    loss.backward();
    return result;
}

at::Tensor StepRunner::forwardAndLoss(std::vector<at::Tensor>& outputs)
{
    outputs = handedOn(outputsOfMicroStep(), m_workload);
    return lossOfMicroStep(outputs);
}

// Hidden states and the head's weights are in the type in which autocast would multiply them.
at::Tensor StepRunner::fusedLoss()
{
    models::LanguageModel& model = languageModel(config::kFusedLoss, "true");
    const models::Inputs inputs = inputsOfMicroStep();
    labelTokens(inputs);
    const at::Tensor hidden = model.lastHiddenStates(inputs).flatten(0, 1);
    const models::Linear& head = model.head();
    const tensor::ModuleScope scope(head);
    const at::ScalarType type = m_autocast.value_or(hidden.scalar_type());
    const at::Tensor bias = head.bias.defined() ? head.bias.to(type) : at::Tensor();
    const std::int64_t rows = config::fusedRows(hidden.size(0), head.weight.size(1), head.weight.size(0), m_lossChunks);
    const at::Tensor loss = fusedCrossEntropy(
        {hidden.to(type), head.weight.to(type), bias, m_target.flatten()}, rows, labelledTokens(m_target));
    return m_workload.accumulate > 1 ? loss / m_workload.accumulate : loss;
}

models::LanguageModel& StepRunner::languageModel(const char* key, const std::string& found) const
{
    auto* const model = dynamic_cast<models::LanguageModel*>(&m_model);
    if (model == nullptr)
        throw UsageError("found " + found + " for a model without a head over a vocabulary",
            std::string("workload.") + key, key == config::kFusedLoss ? "false" : "1");
    return *model;
}

// Labels come with the batch, which is not there any more when the loss is computed.
void StepRunner::labelTokens(const models::Inputs& inputs)
{
    if (m_workload.loss != config::Loss::CrossEntropy || m_target.defined())
        return;
    const tensor::MemoryScope scope(config::MemoryCategory::Inputs);
    m_target = nextTokens(inputs, m_model.tokenInput());
}

std::vector<at::Tensor> StepRunner::outputsOfMicroStep()
{
    const models::Inputs inputs = inputsOfMicroStep();
    labelTokens(inputs);
    if (m_workload.loss == config::Loss::Model)
        return m_model.forwardToLoss(inputs);
    return m_lossChunks == 1 ? std::vector<at::Tensor>{m_model.forward(inputs)} : logitsInChunks(inputs);
}

std::vector<at::Tensor> StepRunner::logitsInChunks(const models::Inputs& inputs)
{
    return languageModel(config::kLossChunks, std::to_string(m_lossChunks)).logitsInChunks(inputs, m_lossChunks);
}

void StepRunner::hold(const std::vector<at::Tensor>& outputs, StepOutput& result) const
{
    const bool isWhole = m_lossChunks == 1 && !m_isLossFused;
    if (isWhole)
        result.output = outputs.front().detach();
    for (const at::Tensor& output : std::span(outputs).subspan(isWhole ? 1 : 0))
        (isWhole ? result.others : result.chunks).push_back(output.detach());
}

at::Tensor StepRunner::lossOfMicroStep(const std::vector<at::Tensor>& outputs)
{
    const at::Tensor loss = m_lossChunks == 1 ? lossOfOutput(outputs.front()) : lossOfChunks(outputs, m_target);
    return m_workload.accumulate > 1 ? loss / m_workload.accumulate : loss;
}

// Under autocast in float32, as trainers hand the output on (accelerate) and LibTorch's lists have it for losses.
at::Tensor StepRunner::lossOfOutput(const at::Tensor& output)
{
    const bool isRaised = m_autocast && at::isReducedFloatingType(output.scalar_type());
    const at::Tensor compared = isRaised ? output.to(at::kFloat) : output;
    if (!m_target.defined()) {
        const tensor::MemoryScope scope(config::MemoryCategory::Inputs);
        m_target = makeTarget(m_workload.loss, compared.detach());
    }
    return lossOf(m_workload.loss, compared, m_target);
}

// They are there already where a trace begins after them.
void StepRunner::labelScalars() const
{
    std::vector<at::Tensor> scalars = m_lossScale ? m_lossScale->scalars() : std::vector<at::Tensor>();
    scalars.push_back(m_lossSum);
    for (const at::Tensor& scalar : scalars)
        tensor::relabel(scalar, {{config::MemoryCategory::Temporaries}, tensor::LabelChange::Rule::Claim});
}

// One scalar for all updates, cleared in place: whoever reads it asks the device once for an update.
void StepRunner::addToSum(const at::Tensor& loss)
{
    if (m_workload.accumulate == 1)
        return;
    if (!m_lossSum.defined())
        m_lossSum = at::zeros_like(loss);
    m_lossSum.add_(loss);
}

models::Inputs StepRunner::inputsOfMicroStep()
{
    models::Inputs inputs = m_inputs;
    m_hooks.prepareInputs(inputs);
    return inputs;
}

void StepRunner::update(std::int64_t step)
{
    if (m_lossScale)
        unscale(step);
    if (m_workload.clipGradNorm > 0) {
        const PhaseScope phase(m_observer, "clip", step);
        clipGradients(m_parameters, m_workload.clipGradNorm);
    }
    if (m_workload.step == config::StepKind::Train)
        optimize(step);
    if (m_lossScale)
        m_lossScale->adapt();
}

void StepRunner::unscale(std::int64_t step)
{
    const PhaseScope phase(m_observer, "unscale", step);
    m_lossScale->unscale(m_parameters);
}

void StepRunner::optimize(std::int64_t step)
{
    {
        const PhaseScope phase(m_observer, "optimizer", step);
        if (m_lossScale && m_lossScale->check() == GradientCheck::NotFinite)
            return;
        optimizer().update(m_parameters);
    }
    for (const techniques::UpdatePhase& follower : m_hooks.parametersUpdated) {
        const PhaseScope phase(m_observer, follower.name, step);
        follower.run();
    }
}

techniques::ParameterUpdater& StepRunner::optimizer()
{
    if (m_hooks.optimizer != nullptr)
        return *m_hooks.optimizer;
    if (!m_plainOptimizer)
        m_plainOptimizer = techniques::plainOptimizer();
    return *m_plainOptimizer;
}

} // namespace headroom::training
