// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/ema/EmaShadow.h"

#include "core/base/Error.h"
#include "core/techniques/ema/EmaSlices.h"
#include "core/techniques/ema/EmaWholeShadows.h"

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

using tensor::TransferDirection;

std::vector<bool> trainableFlags(const Tensors& parameters)
{
    std::vector<bool> flags;
    for (const at::Tensor& parameter : parameters)
        flags.push_back(parameter.requires_grad());
    return flags;
}

void EmaShadow::checkCount(const Tensors& parameters) const
{
    if (parameters.size() != m_tensors.size())
        throw TrialError("found " + std::to_string(parameters.size()) + " parameters", "ema",
            "the " + std::to_string(m_tensors.size()) + " that it was made from, in their order");
}

void EmaShadow::checkUnchanged(const Tensors& parameters, const std::vector<bool>& trainable) const
{
    checkCount(parameters);
    if (trainableFlags(parameters) != trainable)
        throw TrialError("other parameters require gradients than when the shadow was made", "ema",
            "a shadow that is made after they are frozen or not");
}

void EmaShadow::transfer(
    const at::Tensor& from, const at::Tensor& to, TransferDirection direction, tensor::TransferWait wait)
{
    count(from, direction);
    tensor::transfer(from, to, direction, wait);
}

void EmaShadow::count(const at::Tensor& moved, TransferDirection direction)
{
    (direction == TransferDirection::ToHost ? m_traffic.bytesToHost : m_traffic.bytesToDevice) +=
        static_cast<std::int64_t>(moved.nbytes());
}

at::Tensor EmaShadow::hostMemory(
    at::IntArrayRef sizes, c10::ScalarType dtype, c10::Device device, tensor::HostMemory kind)
{
    const tensor::HostTensor memory = tensor::emptyOnHost(sizes, dtype, device, kind);
    m_kind = memory.kind;
    if (memory.kind == tensor::HostMemory::Pinned)
        ++m_traffic.pinnedAllocations;
    if (!memory.reason.empty())
        m_reason = memory.reason;
    return memory.tensor;
}

std::string EmaShadow::hostMemoryText() const
{
    if (isPinned())
        return "pinned host memory";
    return "pageable host memory" + (m_reason.empty() ? "" : ", as pinned is not to be had: " + m_reason);
}

std::vector<std::unique_ptr<EmaShadow>> makeEmaShadows(const config::EmaSettings& settings, const Tensors& parameters)
{
    const auto kind = settings.pinned ? tensor::HostMemory::Pinned : tensor::HostMemory::Pageable;
    const auto wait = settings.blocking ? tensor::TransferWait::Blocking : tensor::TransferWait::NonBlocking;
    std::shared_ptr<EmaSlots> slots;
    if (settings.placement == config::EmaPlacement::HostAsync)
        slots = std::make_shared<EmaSlots>(parameters, settings.sliceBytes, settings.mode);
    std::vector<std::unique_ptr<EmaShadow>> shadows;
    for (std::size_t i = 0; i < settings.schedules.size(); ++i)
        switch (settings.placement) {
        case config::EmaPlacement::Off:
            break;
        case config::EmaPlacement::Device:
            shadows.push_back(std::make_unique<EmaDeviceShadow>(settings.mode, parameters));
            break;
        case config::EmaPlacement::Host:
            shadows.push_back(std::make_unique<EmaHostShadow>(settings.mode, parameters, kind, wait));
            break;
        case config::EmaPlacement::HostAsync:
            shadows.push_back(std::make_unique<EmaSlicedShadow>(settings.mode, parameters, kind, slots));
            break;
        case config::EmaPlacement::HostCpu:
            shadows.push_back(std::make_unique<EmaCpuShadow>(settings.mode, parameters, kind));
            break;
        }
    return shadows;
}

} // namespace headroom::techniques
