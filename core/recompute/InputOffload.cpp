// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/InputOffload.h"

#include "core/memory/MemoryScopes.h"
#include "core/recompute/CheckpointInputs.h"

#include <utility>

namespace headroom::tensor {

InputOffload::InputOffload(c10::Device device, std::string_view technique)
    : m_device(device)
    , m_technique(technique)
    , m_stream(device)
{
}

InputOffload::~InputOffload() = default;

void InputOffload::forwardBegins()
{
    m_waiting.clear();
    m_last.reset();
}

void InputOffload::regionBegins()
{
    for (const auto& waiting : std::exchange(m_waiting, {}))
        if (const auto inputs = waiting.lock(); inputs && inputs->leave()) {
            m_leaving.push_back(inputs);
            m_last = inputs;
        }
}

void InputOffload::regionEnds()
{
    if (m_leaving.empty())
        return;
    wait();
    for (const auto& leaving : std::exchange(m_leaving, {}))
        if (const auto inputs = leaving.lock())
            inputs->left();
}

void InputOffload::add(const std::shared_ptr<CheckpointInputs>& inputs)
{
    inputs->offloadThrough(shared_from_this(), m_last);
    m_waiting.push_back(inputs);
}

HostTensor InputOffload::hostMemoryFor(const at::Tensor& tensor)
{
    const MemoryScope technique(m_technique);
    const MemoryScope category(config::MemoryCategory::SavedActivations);
    HostTensor host = emptyOnHost({tensor.numel()}, tensor.scalar_type(), m_device, HostMemory::Pinned);
    if (!host.reason.empty())
        m_whyPageable = host.reason;
    return host;
}

at::Tensor InputOffload::deviceMemoryFor(at::IntArrayRef sizes, at::IntArrayRef strides, c10::ScalarType dtype) const
{
    const MemoryScope technique(m_technique);
    const MemoryScope category(config::MemoryCategory::SavedActivations);
    return at::empty_strided(sizes, strides, at::TensorOptions().dtype(dtype).device(m_device));
}

void InputOffload::copyOut(const at::Tensor& from, const HostTensor& to)
{
    m_bytesToHost += static_cast<Bytes>(from.nbytes());
    copy(from, to.tensor, TransferDirection::ToHost, to.kind);
}

void InputOffload::copyBack(const HostTensor& from, const at::Tensor& to)
{
    copy(from.tensor, to, TransferDirection::ToDevice, from.kind);
}

void InputOffload::copy(const at::Tensor& from, const at::Tensor& to, TransferDirection direction, HostMemory kind)
{
    const TransferWait wait = kind == HostMemory::Pinned ? TransferWait::NonBlocking : TransferWait::Blocking;
    m_stream.waitForCompute();
    m_stream.run([&from, &to, direction, wait] { transfer(from, to, direction, wait); });
}

void InputOffload::wait()
{
    m_stream.letComputeWait();
}

} // namespace headroom::tensor
