// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/ema/EmaWholeShadows.h"

#include "core/memory/ParameterHome.h"

#include <algorithm>

namespace headroom::techniques {
namespace {

using tensor::HostMemory;
using tensor::TransferDirection;
using tensor::TransferWait;

constexpr Bytes kShadowAlignment = 64;

Bytes arrivalBytes(const at::Tensor& tensor)
{
    return roundUp(static_cast<Bytes>(tensor.nbytes()), kShadowAlignment);
}

Bytes arrivalBytes(const Tensors& tensors)
{
    Bytes bytes = 0;
    for (const at::Tensor& tensor : tensors)
        bytes += arrivalBytes(tensor);
    return bytes;
}

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
    planBatches();
    reserveBuffers(device, kind);
}

void EmaCpuShadow::planBatches()
{
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        if (!m_trainable[i])
            continue;
        if (m_batches.empty() || m_mode != config::EmaMode::Foreach)
            m_batches.emplace_back();
        m_batches.back().parameters.push_back(i);
        m_batches.back().shadows.push_back(m_tensors[i]);
    }
}

void EmaCpuShadow::addBuffer(c10::Device device, HostMemory kind)
{
    Bytes bytes = 0;
    for (const Batch& batch : m_batches)
        bytes = std::max(bytes, arrivalBytes(batch.shadows));
    const at::Tensor memory = hostMemory({bytes}, at::kByte, device, kind);
    m_buffers.push_back({memory, isPinned() ? std::make_unique<tensor::SideStream>(device) : nullptr});
}

// A copy to pageable memory keeps the host waiting, so that nothing would arrive in a second buffer meanwhile.
void EmaCpuShadow::reserveBuffers(c10::Device device, HostMemory kind)
{
    addBuffer(device, kind);
    if (isPinned() && m_batches.size() > 1)
        addBuffer(device, kind);
    for (std::size_t i = 0; i < m_batches.size(); ++i)
        m_batches[i].places = placesOf(m_batches[i], bufferOf(i).bytes);
}

Tensors EmaCpuShadow::placesOf(const Batch& batch, const at::Tensor& buffer)
{
    Tensors places;
    Bytes offset = 0;
    for (const at::Tensor& shadow : batch.shadows) {
        const at::Tensor place = buffer.narrow(0, offset, static_cast<std::int64_t>(shadow.nbytes()));
        places.push_back(place.view(shadow.scalar_type()).view(shadow.sizes()));
        offset += arrivalBytes(shadow);
    }
    return places;
}

// With two buffers one batch arrives while the one before it is updated.
void EmaCpuShadow::update(const Tensors& parameters, double weight)
{
    checkUnchanged(parameters, m_trainable);
    copyFrozen(parameters);
    const std::size_t ahead = m_buffers.size() - 1;
    for (std::size_t batch = 0; batch < m_batches.size() + ahead; ++batch) {
        if (batch < m_batches.size())
            fetch(batch, parameters);
        if (batch >= ahead)
            settle(batch - ahead, weight);
    }
}

void EmaCpuShadow::copyFrozen(const Tensors& parameters)
{
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (!m_trainable[i])
            transfer(
                tensor::dataOnDevice(parameters[i]), m_tensors[i], TransferDirection::ToHost, TransferWait::Blocking);
}

// On the compute stream: what was brought to the device for it may go at once, its memory is used again after the copy.
void EmaCpuShadow::fetch(std::size_t batch, const Tensors& parameters)
{
    const Buffer& buffer = bufferOf(batch);
    const TransferWait wait = buffer.arrival ? TransferWait::NonBlocking : TransferWait::Blocking;
    const Batch& fetched = m_batches[batch];
    for (std::size_t i = 0; i < fetched.parameters.size(); ++i)
        transfer(tensor::dataOnDevice(parameters[fetched.parameters[i]]), fetched.places[i], TransferDirection::ToHost,
            wait);
    if (buffer.arrival)
        buffer.arrival->waitForCompute();
}

// What the arithmetic takes is the host's memory as well.
void EmaCpuShadow::settle(std::size_t batch, double weight)
{
    if (const auto& arrival = bufferOf(batch).arrival)
        arrival->synchronise();
    const tensor::HostMemoryScope host(HostMemory::Pageable);
    moveTowards(m_mode, m_batches[batch].shadows, m_batches[batch].places, weight);
}

std::string EmaCpuShadow::description() const
{
    return "in pageable host memory, updated there; parameters arrive in " + hostMemoryText();
}

} // namespace headroom::techniques
