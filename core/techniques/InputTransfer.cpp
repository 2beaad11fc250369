// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/InputTransfer.h"

#include "core/memory/MemoryScopes.h"
#include "core/tensor/SideStream.h"

namespace headroom::techniques {
namespace {

using config::BatchOrigin;

constexpr const char* kInputTransferKey = "input_transfer";

} // namespace

InputTransfer::InputTransfer(const config::TechniqueSetting& setting)
    : m_from(config::parseInputTransfer(setting.notation, "techniques.input_transfer"))
{
}

StepHooks InputTransfer::apply(models::Model& model)
{
    m_onHost = model.hostInputs();
    if (m_from == BatchOrigin::Resident)
        return {};
    return {.holdInputs = [this](models::Inputs& inputs) { moveToHost(inputs); },
        .beginStep = [this] { m_bytes = 0; },
        .prepareInputs = [this](models::Inputs& inputs) { copyToDevice(inputs); }};
}

// The device's own copies go with this: from here on the batch is in host memory.
void InputTransfer::moveToHost(models::Inputs& inputs)
{
    const auto kind = m_from == BatchOrigin::Pinned ? tensor::HostMemory::Pinned : tensor::HostMemory::Pageable;
    for (auto& [name, input] : inputs) {
        if (!isMoved(name))
            continue;
        m_device = input.device();
        const tensor::HostTensor host = tensor::emptyOnHost(input.sizes(), input.scalar_type(), input.device(), kind);
        if (host.kind != kind)
            m_reason = host.reason;
        tensor::transfer(input, host.tensor, tensor::TransferDirection::ToHost, tensor::TransferWait::Blocking);
        input = host.tensor;
    }
}

void InputTransfer::copyToDevice(models::Inputs& inputs)
{
    const tensor::MemoryScope technique(kInputTransferKey);
    const tensor::MemoryScope category(config::MemoryCategory::Inputs);
    const auto wait =
        m_from == BatchOrigin::Pinned ? tensor::TransferWait::NonBlocking : tensor::TransferWait::Blocking;
    for (auto& [name, input] : inputs) {
        if (!isMoved(name))
            continue;
        at::Tensor copy = at::empty(input.sizes(), input.options().device(m_device.value()).pinned_memory(false));
        tensor::transfer(input, copy, tensor::TransferDirection::ToDevice, wait);
        m_bytes += static_cast<std::int64_t>(input.nbytes());
        input = std::move(copy);
    }
}

std::string InputTransfer::effective() const
{
    if (m_from == BatchOrigin::Resident)
        return "resident";
    std::string text = std::string("the batch is copied from ")
        + (m_from == BatchOrigin::Pinned && m_reason.empty() ? "pinned" : "pageable")
        + " host memory for each micro-step";
    return m_reason.empty() ? text : text + ", as it cannot be pinned: " + m_reason;
}

} // namespace headroom::techniques
