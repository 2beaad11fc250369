// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/optimizer/SgdRule.h"

namespace headroom::techniques {
namespace {

using Form = config::OptimizerNotation::Form;

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

} // namespace

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

} // namespace headroom::techniques
