// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/ema/EmaWholeShadows.h"

#include "core/memory/ParameterHome.h"

#include <algorithm>

namespace headroom::techniques {
namespace {

using tensor::HostMemory;
using tensor::TransferDirection;
using tensor::TransferWait;

constexpr std::int64_t kShadowAlignment = 64;

// Brings `shadows` up to date with parameters that are on the device.
void updateOnDevice(config::EmaMode mode, const Tensors& shadows, const Tensors& parameters, double weight)
{
    Tensors moving, towards, copies, originals;
    for (std::size_t i = 0; i < shadows.size(); ++i) {
        (parameters[i].requires_grad() ? moving : copies).push_back(shadows[i]);
        (parameters[i].requires_grad() ? towards : originals).push_back(parameters[i]);
    }
    moveTowards(mode, moving, towards, weight);
    copyParameters(mode, copies, originals);
}

// The same group by group where parameters come to the device for it.
void updateRuns(config::EmaMode mode, const Tensors& shadows, const Tensors& parameters, double weight)
{
    auto next = shadows.begin();
    for (const Tensors& run : tensor::parameterRuns(parameters)) {
        const auto end = next + static_cast<std::ptrdiff_t>(run.size());
        const tensor::ParametersOnDevice onDevice(run, tensor::ParameterUse::Read);
        updateOnDevice(mode, Tensors(next, end), run, weight);
        next = end;
    }
}

at::Tensor emptyLike(const at::Tensor& data)
{
    return at::empty(data.sizes(), data.options().memory_format(c10::MemoryFormat::Contiguous));
}

} // namespace

EmaDeviceShadow::EmaDeviceShadow(config::EmaMode mode, const Tensors& parameters)
    : EmaShadow(mode)
{
    const torch::NoGradGuard noGradients;
    for (const at::Tensor& parameter : parameters) {
        const at::Tensor data = tensor::dataOnDevice(parameter);
        m_tensors.push_back(emptyLike(data));
        m_tensors.back().copy_(data);
    }
}

void EmaDeviceShadow::update(const Tensors& parameters, double weight)
{
    checkCount(parameters);
    updateRuns(m_mode, m_tensors, parameters, weight);
}

EmaHostShadow::EmaHostShadow(config::EmaMode mode, const Tensors& parameters, HostMemory kind, TransferWait wait)
    : EmaShadow(mode)
    , m_wait(wait)
{
    for (const at::Tensor& parameter : parameters) {
        const at::Tensor data = tensor::dataOnDevice(parameter);
        m_device = data.device();
        m_tensors.push_back(hostMemory(data.sizes(), data.scalar_type(), m_device, kind));
        transfer(data, m_tensors.back(), TransferDirection::ToHost, TransferWait::Blocking);
    }
    if (!isPinned())
        m_wait = TransferWait::Blocking;
}

void EmaHostShadow::update(const Tensors& parameters, double weight)
{
    checkCount(parameters);
    Tensors copies;
    for (const at::Tensor& shadow : m_tensors) {
        copies.push_back(at::empty(shadow.sizes(), at::TensorOptions().dtype(shadow.scalar_type()).device(m_device)));
        transfer(shadow, copies.back(), TransferDirection::ToDevice, m_wait);
    }
    updateRuns(m_mode, copies, parameters, weight);
    for (std::size_t i = 0; i < copies.size(); ++i)
        transfer(copies[i], m_tensors[i], TransferDirection::ToHost, m_wait);
}

// Copies that the host did not wait for run on the compute stream.
void EmaHostShadow::finish()
{
    if (m_wait == TransferWait::Blocking)
        return;
    tensor::SideStream stream(m_device);
    stream.waitForCompute();
    stream.synchronise();
}

std::string EmaHostShadow::description() const
{
    return "in " + hostMemoryText() + ", as a whole to the device and back, "
        + (m_wait == TransferWait::Blocking ? "blocking" : "non-blocking");
}

EmaCpuShadow::EmaCpuShadow(config::EmaMode mode, const Tensors& parameters, HostMemory kind)
    : EmaShadow(mode)
    , m_trainable(trainableFlags(parameters))
{
    c10::Device device = c10::kCPU;
    for (const at::Tensor& parameter : parameters) {
        const at::Tensor data = tensor::dataOnDevice(parameter);
        device = data.device();
        m_tensors.push_back(hostMemory(data.sizes(), data.scalar_type(), device, HostMemory::Pageable));
        transfer(data, m_tensors.back(), TransferDirection::ToHost, TransferWait::Blocking);
    }
    reserveArrivals(device, kind);
}

void EmaCpuShadow::reserveArrivals(c10::Device device, HostMemory kind)
{
    const bool together = m_mode == config::EmaMode::Foreach;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        m_offsets.push_back(together ? bytes : 0);
        if (!m_trainable[i])
            continue;
        const std::int64_t own = roundUp(static_cast<Bytes>(m_tensors[i].nbytes()), kShadowAlignment);
        bytes = together ? bytes + own : std::max(bytes, own);
    }
    m_arrivals = hostMemory({bytes}, at::kByte, device, kind);
}

void EmaCpuShadow::update(const Tensors& parameters, double weight)
{
    checkUnchanged(parameters, m_trainable);
    Tensors moving, arrived;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const at::Tensor target = m_trainable[i] ? arrivalOf(i) : m_tensors[i];
        transfer(tensor::dataOnDevice(parameters[i]), target, TransferDirection::ToHost, TransferWait::Blocking);
        if (!m_trainable[i])
            continue;
        arrived.push_back(target);
        moving.push_back(m_tensors[i]);
        if (m_mode != config::EmaMode::Foreach)
            move(moving, arrived, weight);
    }
    move(moving, arrived, weight);
}

at::Tensor EmaCpuShadow::arrivalOf(std::size_t index) const
{
    const at::Tensor& shadow = m_tensors[index];
    const at::Tensor place = m_arrivals.narrow(0, m_offsets[index], static_cast<std::int64_t>(shadow.nbytes()));
    return place.view(shadow.scalar_type()).view(shadow.sizes());
}

// What the arithmetic takes is the host's memory as well.
void EmaCpuShadow::move(Tensors& shadows, Tensors& arrived, double weight) const
{
    const tensor::HostMemoryScope host(HostMemory::Pageable);
    moveTowards(m_mode, shadows, arrived, weight);
    shadows.clear();
    arrived.clear();
}

std::string EmaCpuShadow::description() const
{
    return "in pageable host memory, updated there; parameters arrive in " + hostMemoryText();
}

} // namespace headroom::techniques
