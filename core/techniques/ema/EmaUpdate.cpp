// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/ema/EmaUpdate.h"

#include "core/memory/HostMemory.h"

namespace headroom::techniques {
namespace {

using config::EmaMode;

at::Tensor noughtFor(const at::Tensor& tensor)
{
    const tensor::HostMemoryScope host(tensor::HostMemory::Pageable);
    const c10::Device home = tensor.is_cuda() ? c10::Device(c10::kCPU) : tensor.device();
    at::Tensor nought = at::empty({}, at::TensorOptions().dtype(tensor.scalar_type()).device(home));
    return nought.is_meta() ? nought : nought.zero_();
}

// As mul_ rounds. That would make a tensor of its factor on the CPU, and none where the CPU is simulated; a nought of
// our own is the same on both.
void scale(at::Tensor tensor, double factor)
{
    at::add_out(tensor, noughtFor(tensor), tensor, factor);
}

void moveOne(at::Tensor shadow, const at::Tensor& parameter, double weight, const at::Tensor& memory)
{
    at::Tensor difference = memory;
    if (difference.defined())
        at::sub_out(difference, shadow, parameter);
    else
        difference = at::sub(shadow, parameter);
    scale(difference, weight);
    shadow.sub_(difference);
}

void moveAll(const Tensors& shadows, const Tensors& parameters, double weight, Tensors differences)
{
    if (differences.empty()) {
        differences = at::_foreach_sub(shadows, parameters);
    } else {
        at::_foreach_copy_(differences, shadows);
        at::_foreach_sub_(differences, parameters);
    }
    at::_foreach_sub_(shadows, differences, weight);
}

} // namespace

bool needsTemporary(EmaMode mode)
{
    return mode != EmaMode::ForeachNoTemporary;
}

void moveTowards(
    EmaMode mode, const Tensors& shadows, const Tensors& parameters, double weight, const Tensors& temporaries)
{
    const torch::NoGradGuard noGradients;
    if (shadows.empty())
        return;
    if (mode == EmaMode::Foreach)
        return moveAll(shadows, parameters, weight, temporaries);
    if (mode == EmaMode::ForeachNoTemporary)
        return at::_foreach_lerp_(shadows, parameters, weight);
    for (std::size_t i = 0; i < shadows.size(); ++i)
        moveOne(shadows[i], parameters[i], weight, temporaries.empty() ? at::Tensor() : temporaries[i]);
}

void copyParameters(EmaMode mode, const Tensors& shadows, const Tensors& parameters)
{
    const torch::NoGradGuard noGradients;
    if (shadows.empty())
        return;
    if (mode != EmaMode::Loop)
        return at::_foreach_copy_(shadows, parameters, true);
    for (std::size_t i = 0; i < shadows.size(); ++i)
        at::Tensor(shadows[i]).copy_(parameters[i]);
}

} // namespace headroom::techniques
