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
#include <numeric>
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

// Rows of logits that are computed at a time: more gain little.
constexpr std::int64_t kMostRows = 64;

// Each token's loss in float64, 0 without a label; some rows at a time.
at::Tensor crossEntropies(const at::Tensor& logits, const at::Tensor& labels)
{
    const at::Tensor rows = logits.flatten(0, -2);
    const std::int64_t step = std::clamp(chunkElements(logits.device()) / rows.size(1), std::int64_t{1}, kMostRows);
    std::vector<at::Tensor> losses;
    for (std::int64_t row = 0; row < rows.size(0); row += step) {
        const std::int64_t count = std::min(step, rows.size(0) - row);
        losses.push_back(at::cross_entropy_loss(rows.narrow(0, row, count).to(at::kDouble),
            labels.narrow(0, row, count), {}, at::Reduction::None, training::kNoLabel));
    }
    return at::cat(losses);
}

// The mean over the tokens with a label, added up one token after the other.
double crossEntropyInDouble(const at::Tensor& logits, const at::Tensor& labels)
{
    const at::Tensor flatLabels = labels.flatten();
    const at::Tensor losses = crossEntropies(logits, flatLabels).cpu();
    const double sum =
        std::accumulate(losses.const_data_ptr<double>(), losses.const_data_ptr<double>() + losses.numel(), 0.0);
    return sum / static_cast<double>(flatLabels.ne(training::kNoLabel).sum().item<std::int64_t>());
}

// Losses are means over elements, so the mean over parts, weighted by their sizes, is the mean of the whole.
double lossInDouble(config::Loss loss, const at::Tensor& output, const at::Tensor& target)
{
    if (loss == config::Loss::CrossEntropy)
        return crossEntropyInDouble(output, target);
    if (loss == config::Loss::Model)
        return output.to(at::kDouble).item<double>();
    const at::Tensor flatTarget = target.defined() ? target.reshape({-1}) : at::Tensor();
    SumOnDevice sum;
    std::int64_t begin = 0;
    forEachChunk(output, [&](const at::Tensor& part) {
        const at::Tensor compared =
            flatTarget.defined() ? flatTarget.narrow(0, begin, part.numel()).to(at::kDouble) : at::Tensor();
        sum.add(training::lossOf(loss, part, compared).mul(static_cast<double>(part.numel())));
        begin += part.numel();
    });
    return sum.read() / static_cast<double>(output.numel());
}

at::Tensor squaredNorm(const at::Tensor& tensor)
{
    SumOnDevice sum;
    forEachChunk(tensor, [&](const at::Tensor& part) { sum.add(part.square().sum()); });
    return sum.tensor();
}

std::optional<double> gradNormInDouble(const std::vector<at::Tensor>& parameters)
{
    SumOnDevice sum;
    for (const at::Tensor& parameter : parameters)
        if (parameter.grad().defined() && parameter.grad().numel() > 0)
            sum.add(squaredNorm(parameter.grad()));
    return sum.tensor().defined() ? std::optional(std::sqrt(sum.read())) : std::nullopt;
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
