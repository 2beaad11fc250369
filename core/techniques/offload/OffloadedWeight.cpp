// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/offload/OffloadedWeight.h"

#include "core/memory/MemoryScopes.h"
#include "core/tensor/SideStream.h"

namespace headroom::techniques {
namespace {

constexpr const char* kOffloadKey = "offload";

// What is allocated while it lives is weights, on the technique's behalf.
struct WeightLabel {
    tensor::MemoryScope technique{kOffloadKey};
    tensor::MemoryScope category{config::MemoryCategory::Weights};
};

std::int64_t offloadedBytes(const at::Tensor& tensor)
{
    return static_cast<std::int64_t>(tensor.nbytes());
}

} // namespace

OffloadedWeight::OffloadedWeight(
    OwnedParameter parameter, c10::Device device, tensor::HostMemory kind, std::shared_ptr<OffloadCount> count)
    : m_parameter(std::move(parameter.parameter))
    , m_owner(parameter.owner)
    , m_device(device)
    , m_wantedKind(kind)
    , m_registration(m_parameter, device)
    , m_count(std::move(count))
{
}

void OffloadedWeight::moveToHost()
{
    if (m_host.tensor.defined() && m_host.tensor.is_alias_of(m_parameter))
        return;
    const torch::NoGradGuard noGradients;
    m_host = tensor::emptyOnHost(m_parameter.sizes(), m_parameter.scalar_type(), m_device, m_wantedKind);
    tensor::transfer(m_parameter, m_host.tensor, tensor::TransferDirection::ToHost, tensor::TransferWait::Blocking);
    m_count->bytesToHost += offloadedBytes(m_host.tensor);
    m_parameter.set_data(m_host.tensor);
}

bool OffloadedWeight::hold()
{
    if (m_holds == 0) {
        const tensor::ModuleLabel module(*m_owner);
        m_onDevice = emptyOnDevice();
        m_count->bytesToDevice += offloadedBytes(m_onDevice);
    }
    return m_holds++ == 0;
}

void OffloadedWeight::fill() const
{
    tensor::transfer(m_host.tensor, m_onDevice, tensor::TransferDirection::ToDevice, wait());
}

void OffloadedWeight::letGo()
{
    if (--m_holds == 0)
        m_onDevice.reset();
}

void OffloadedWeight::use()
{
    const torch::NoGradGuard noGradients;
    if (m_uses++ == 0)
        m_parameter.set_data(m_onDevice);
}

void OffloadedWeight::stopUsing()
{
    const torch::NoGradGuard noGradients;
    if (--m_uses == 0)
        m_parameter.set_data(m_host.tensor);
}

void OffloadedWeight::takeBack() const
{
    tensor::transfer(m_onDevice, m_host.tensor, tensor::TransferDirection::ToHost, wait());
    m_count->bytesToHost += offloadedBytes(m_host.tensor);
}

// A copy that is held but not in use may not be filled yet.
at::Tensor OffloadedWeight::copyOnDevice() const
{
    at::Tensor copy = emptyOnDevice();
    const torch::NoGradGuard noGradients;
    if (isUsed()) {
        copy.copy_(m_onDevice);
        return copy;
    }
    tensor::transfer(m_host.tensor, copy, tensor::TransferDirection::ToDevice, wait());
    m_count->bytesToDevice += offloadedBytes(copy);
    return copy;
}

at::Tensor OffloadedWeight::emptyOnDevice() const
{
    const torch::NoGradGuard noGradients;
    const WeightLabel label;
    return at::empty(m_host.tensor.sizes(), m_host.tensor.options().device(m_device).pinned_memory(false));
}

tensor::TransferWait OffloadedWeight::wait() const
{
    return m_host.kind == tensor::HostMemory::Pinned ? tensor::TransferWait::NonBlocking
                                                     : tensor::TransferWait::Blocking;
}

} // namespace headroom::techniques
