// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/optimizer/UpdateRule.h"

#include <cmath>

namespace headroom::techniques {

using Form = config::OptimizerNotation::Form;

namespace {

// The fused kernels change parameters without counting the change, by which others know that there was one.
void noteChange(const std::vector<at::Tensor>& parameters)
{
    for (const at::Tensor& parameter : parameters)
        parameter.unsafeGetTensorImpl()->bump_version();
}

/// v = momentum v + g (the first time v = g), p -= lr v, with g + weight_decay p for g. Without momentum v is g.
class SgdRule final : public UpdateRule {
public:
    SgdRule(config::OptimizerNotation::Form form, const config::OptimizerOptions& options);
    OptimizerState initialState(const at::Tensor& parameter, c10::ScalarType dtype) const override;

private:
    void updateEach(const UpdateBatch& batch) const override;
    void updateLists(const UpdateBatch& batch) const override;
    void updateFused(const UpdateBatch& batch) const override;
    void updateInPlace(const UpdateBatch& batch) const;
};

constexpr double kDampening = 0; // PyTorch's default; there is no option for it

bool isFirstUpdate(const UpdateBatch& batch)
{
    return batch.updates.front() == 1;
}

// LibTorch 2.11's CPU kernel leaves all of a vector's parameters as they are in these types: it computes them and does
// not store them (aten/src/ATen/native/cpu/FusedSGDKernel.cpp; what does not fill a vector is updated).
bool isLeftOutByKernel(const at::Tensor& parameter)
{
    return parameter.is_cpu() && at::isReducedFloatingType(parameter.scalar_type());
}

SgdRule::SgdRule(Form form, const config::OptimizerOptions& options)
    : UpdateRule(form, options)
{
}

// The first update fills the buffer.
OptimizerState SgdRule::initialState(const at::Tensor& parameter, c10::ScalarType dtype) const
{
    OptimizerState state;
    if (options().momentum != 0)
        state.first = at::empty_like(parameter, parameter.options().dtype(dtype));
    return state;
}

void SgdRule::updateEach(const UpdateBatch& batch) const
{
    for (std::size_t i = 0; i < batch.parameters.size(); ++i) {
        at::Tensor parameter = batch.parameters[i];
        at::Tensor direction = batch.gradients[i];
        if (options().weightDecay != 0)
            direction = direction.add(parameter, options().weightDecay);
        if (options().momentum != 0) {
            at::Tensor buffer = batch.first[i];
            if (isFirstUpdate(batch))
                buffer.copy_(direction);
            else
                buffer.mul_(options().momentum).add_(direction);
            direction = buffer;
        }
        parameter.add_(direction, -options().learningRate);
    }
}

void SgdRule::updateLists(const UpdateBatch& batch) const
{
    std::vector<at::Tensor> directions = batch.gradients;
    if (options().weightDecay != 0)
        directions = at::_foreach_add(directions, batch.parameters, options().weightDecay);
    if (options().momentum != 0) {
        if (isFirstUpdate(batch)) {
            at::_foreach_copy_(batch.first, directions);
        } else {
            at::_foreach_mul_(batch.first, options().momentum);
            at::_foreach_add_(batch.first, directions);
        }
        directions = batch.first;
    }
    at::_foreach_add_(batch.parameters, directions, -options().learningRate);
}

// As the kernel: no temporaries.
void SgdRule::updateInPlace(const UpdateBatch& batch) const
{
    for (std::size_t i = 0; i < batch.parameters.size(); ++i) {
        at::Tensor parameter = batch.parameters[i];
        if (options().momentum == 0) {
            parameter.mul_(1 - options().learningRate * options().weightDecay);
            parameter.add_(batch.gradients[i], -options().learningRate);
            continue;
        }
        at::Tensor buffer = batch.first[i];
        if (isFirstUpdate(batch))
            buffer.copy_(batch.gradients[i]);
        else
            buffer.mul_(options().momentum).add_(batch.gradients[i]);
        buffer.add_(parameter, options().weightDecay);
        parameter.add_(buffer, -options().learningRate);
    }
}

void SgdRule::updateFused(const UpdateBatch& batch) const
{
    if (isLeftOutByKernel(batch.parameters.front()))
        return updateInPlace(batch);
    at::_fused_sgd_(batch.parameters, batch.gradients, batch.first, options().weightDecay, options().momentum,
        options().learningRate, kDampening, /*nesterov=*/false, /*maximize=*/false, isFirstUpdate(batch));
    noteChange(batch.parameters);
}

/// p *= 1 - lr weight_decay; m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g^2;
/// p -= lr / (1 - beta1^n) m / (sqrt(v) / sqrt(1 - beta2^n) + eps) in the nth update.
class AdamwRule final : public UpdateRule {
public:
    AdamwRule(config::OptimizerNotation::Form form, const config::OptimizerOptions& options);
    OptimizerState initialState(const at::Tensor& parameter, c10::ScalarType dtype) const override;

private:
    void updateEach(const UpdateBatch& batch) const override;
    void updateLists(const UpdateBatch& batch) const override;
    void updateFused(const UpdateBatch& batch) const override;
    double stepSize(std::int64_t updates) const;
    double rootOfCorrection(std::int64_t updates) const;
};

double biasCorrection(double beta, std::int64_t updates)
{
    return 1 - std::pow(beta, static_cast<double>(updates));
}

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

} // namespace

UpdateRule::UpdateRule(Form form, const config::OptimizerOptions& options)
    : m_form(form)
    , m_options(options)
{
}

void UpdateRule::update(const UpdateBatch& batch) const
{
    switch (m_form) {
    case Form::Loop:
        return updateEach(batch);
    case Form::Foreach:
        return updateLists(batch);
    case Form::Fused:
        return updateFused(batch);
    case Form::Expressions:
        break; // WrittenUpdate, which replaces the state
    }
}

std::unique_ptr<UpdateRule> updateRule(
    const config::OptimizerNotation& notation, const config::OptimizerOptions& options)
{
    if (notation.rule == config::OptimizerNotation::Rule::Sgd)
        return std::make_unique<SgdRule>(notation.form, options);
    return std::make_unique<AdamwRule>(notation.form, options);
}

} // namespace headroom::techniques
