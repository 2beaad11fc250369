// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/optimizer/AdamwRule.h"

#include <cmath>

namespace headroom::techniques {
namespace {

using Form = config::OptimizerNotation::Form;

double biasCorrection(double beta, std::int64_t updates)
{
    return 1 - std::pow(beta, static_cast<double>(updates));
}

} // namespace

AdamwRule::AdamwRule(Form form, const config::OptimizerOptions& options)
    : UpdateRule(form, options)
{
}

OptimizerState AdamwRule::initialState(const at::Tensor& parameter, c10::ScalarType dtype) const
{
    OptimizerState state;
    state.first = at::zeros_like(parameter, parameter.options().dtype(dtype));
    state.second = at::zeros_like(parameter, parameter.options().dtype(dtype));
    if (form() == Form::Fused)
        state.count = at::zeros({}, parameter.options().dtype(at::kFloat));
    return state;
}

double AdamwRule::stepSize(std::int64_t updates) const
{
    return options().learningRate / biasCorrection(options().beta1, updates);
}

double AdamwRule::rootOfCorrection(std::int64_t updates) const
{
    return std::sqrt(biasCorrection(options().beta2, updates));
}

void AdamwRule::updateEach(const UpdateBatch& batch) const
{
    for (std::size_t i = 0; i < batch.parameters.size(); ++i) {
        at::Tensor parameter = batch.parameters[i];
        const at::Tensor& gradient = batch.gradients[i];
        at::Tensor first = batch.first[i];
        at::Tensor second = batch.second[i];
        if (options().weightDecay != 0)
            parameter.mul_(1 - options().learningRate * options().weightDecay);
        first.lerp_(gradient, 1 - options().beta1);
        second.mul_(options().beta2).addcmul_(gradient, gradient, 1 - options().beta2);
        const at::Tensor root = second.sqrt().div_(rootOfCorrection(batch.updates[i])).add_(options().eps);
        parameter.addcdiv_(first, root, -stepSize(batch.updates[i]));
    }
}

void AdamwRule::updateLists(const UpdateBatch& batch) const
{
    std::vector<at::Scalar> roots, steps;
    for (const std::int64_t updates : batch.updates) {
        roots.emplace_back(rootOfCorrection(updates));
        steps.emplace_back(-stepSize(updates));
    }
    if (options().weightDecay != 0)
        at::_foreach_mul_(batch.parameters, 1 - options().learningRate * options().weightDecay);
    at::_foreach_lerp_(batch.first, batch.gradients, 1 - options().beta1);
    at::_foreach_mul_(batch.second, options().beta2);
    at::_foreach_addcmul_(batch.second, batch.gradients, batch.gradients, 1 - options().beta2);
    const std::vector<at::Tensor> denominators = at::_foreach_sqrt(batch.second);
    at::_foreach_div_(denominators, roots);
    at::_foreach_add_(denominators, options().eps);
    at::_foreach_addcdiv_(batch.parameters, batch.first, denominators, steps);
}

void AdamwRule::updateFused(const UpdateBatch& batch) const
{
    at::_foreach_add_(batch.counts, 1);
    at::_fused_adamw_(batch.parameters, batch.gradients, batch.first, batch.second, {}, batch.counts,
        options().learningRate, options().beta1, options().beta2, options().weightDecay, options().eps,
        /*amsgrad=*/false, /*maximize=*/false);
    noteChange(batch.parameters);
}

} // namespace headroom::techniques
