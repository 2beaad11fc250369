// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/FirstStep.h"

#include "core/config/LossChunks.h"
#include "core/models/families/ModelZoo.h"
#include "core/tensor/DeviceContext.h"
#include "core/training/Gradients.h"
#include "core/training/Loss.h"
#include "profiling/measurement/OutputComparison.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::collectors {
namespace {

config::Workload firstStepOf(config::Workload workload)
{
    if (workload.step == config::StepKind::Train)
        workload.step = config::StepKind::ForwardBackward;
    workload.clipGradNorm = 0;
    workload.gradients = config::GradientClearing::SetToNone;
    workload.output = config::ModelOutput::Held; // the output is compared, in one tensor
    return config::withWholeLoss(std::move(workload));
}

// The mean over the tokens with a label, computed one token at a time.
double crossEntropyInDouble(const at::Tensor& logits, const at::Tensor& labels)
{
    const at::Tensor rows = logits.flatten(0, -2);
    const at::Tensor flatLabels = labels.flatten();
    double sum = 0;
    std::int64_t counted = 0;
    for (std::int64_t row = 0; row < rows.size(0); ++row) {
        const at::Tensor label = flatLabels.narrow(0, row, 1);
        if (label.item<std::int64_t>() == training::kNoLabel)
            continue;
        const at::Tensor raised = rows.narrow(0, row, 1).to(at::kDouble);
        sum += training::lossOf(config::Loss::CrossEntropy, raised, label).item<double>();
        ++counted;
    }
    return sum / static_cast<double>(counted);
}

// Losses are means over elements, so the mean over parts, weighted by their sizes, is the mean of the whole.
double lossInDouble(config::Loss loss, const at::Tensor& output, const at::Tensor& target)
{
    if (loss == config::Loss::CrossEntropy)
        return crossEntropyInDouble(output, target);
    const at::Tensor flatOutput = output.reshape({-1});
    const at::Tensor flatTarget = target.defined() ? target.reshape({-1}) : at::Tensor();
    double sum = 0;
    forEachChunk(output.numel(), [&](std::int64_t begin, std::int64_t count) {
        const at::Tensor part =
            flatTarget.defined() ? flatTarget.narrow(0, begin, count).to(at::kDouble) : at::Tensor();
        sum += static_cast<double>(count)
            * training::lossOf(loss, flatOutput.narrow(0, begin, count).to(at::kDouble), part).item<double>();
    });
    return sum / static_cast<double>(output.numel());
}

double squaredNorm(const at::Tensor& tensor)
{
    const at::Tensor flat = tensor.reshape({-1});
    double sum = 0;
    forEachChunk(tensor.numel(), [&](std::int64_t begin, std::int64_t count) {
        sum += flat.narrow(0, begin, count).to(at::kDouble).square_().sum().item<double>();
    });
    return sum;
}

std::optional<double> gradNormInDouble(const std::vector<at::Tensor>& parameters)
{
    std::optional<double> sum;
    for (const at::Tensor& parameter : parameters)
        if (parameter.grad().defined())
            sum = sum.value_or(0) + squaredNorm(parameter.grad());
    return sum ? std::optional(std::sqrt(*sum)) : std::nullopt;
}

std::optional<double> distance(std::optional<double> left, std::optional<double> right)
{
    return left && right ? std::optional(std::abs(*left - *right)) : std::nullopt;
}

} // namespace

LoadedModel freshModel(const config::Configuration& configuration, const config::DeviceSpec& device,
    WeightPlacement placement, config::ShapesAre shapes)
{
    tensor::seedGenerators(configuration.workload.seed);
    const at::TensorOptions options = tensor::tensorOptions(device, configuration.workload.dtype);
    LoadedModel loaded;
    loaded.techniques = std::make_unique<techniques::TechniqueStack>(configuration, shapes);
    loaded.model = placement == WeightPlacement::Plain ? models::buildModel(configuration, options)
                                                       : loaded.techniques->load(options);
    return loaded;
}

FirstStep firstStep(models::Model& model, const techniques::StepHookLists& hooks, const config::Workload& workload,
    const models::Inputs& inputs, training::StepObserver& observer, std::int64_t seed)
{
    training::StepRunner runner(model, hooks, firstStepOf(workload), inputs, observer);
    tensor::seedGenerators(seed);
    FirstStep result;
    result.output = runner.run(0).output;
    if (workload.step == config::StepKind::Inference)
        return result;
    const torch::NoGradGuard noGradients;
    result.loss = lossInDouble(workload.loss, result.output, runner.target());
    result.gradNorm = gradNormInDouble(runner.parameters());
    training::clearGradients(runner.parameters(), config::GradientClearing::SetToNone);
    return result;
}

std::optional<protocol::Numerics> deviation(const FirstStep& step, const FirstStep& baseline)
{
    auto numerics = compareOutputs(step.output, baseline.output);
    if (!numerics)
        return numerics;
    numerics->loss = step.loss;
    numerics->lossAbsDiff = distance(step.loss, baseline.loss);
    numerics->gradNorm = step.gradNorm;
    if (const auto difference = distance(step.gradNorm, baseline.gradNorm); difference && *baseline.gradNorm > 0)
        numerics->gradNormRelDiff = *difference / *baseline.gradNorm;
    return numerics;
}

} // namespace headroom::collectors
