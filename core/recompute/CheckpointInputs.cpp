// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/CheckpointInputs.h"

#include "core/base/Error.h"
#include "core/memory/MemoryScopes.h"

#include <utility>

namespace headroom::tensor {
namespace {

// Has a separate version counter: filling its memory must not count as a change of the tensor that a region gets back.
at::Tensor elementsOf(const at::Tensor& tensor)
{
    const torch::NoGradGuard noGradients;
    return at::Tensor(tensor.variable_data()).as_strided({tensor.numel()}, {1});
}

} // namespace

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

bool OffloadedTensor::canLeave(const at::Tensor& tensor)
{
    return tensor.defined() && tensor.has_storage() && tensor.numel() > 0 && tensor.is_non_overlapping_and_dense()
        && tensor.storage().nbytes() == tensor.nbytes() && !tensor.is_conj() && !tensor.is_neg();
}

OffloadedTensor::OffloadedTensor(std::shared_ptr<InputOffload> offload, const at::Tensor& tensor)
    : m_offload(std::move(offload))
    , m_sizes(tensor.sizes().vec())
    , m_strides(tensor.strides().vec())
    , m_host(m_offload->hostMemoryFor(tensor))
    , m_device(tensor)
    , m_elements(elementsOf(tensor))
{
    m_offload->copyOut(m_elements, m_host);
}

// Memory that a copy still uses must not be freed. An error of the copy has no one left to report it to.
OffloadedTensor::~OffloadedTensor()
{
    if (m_place == Place::Host)
        return;
    try {
        m_offload->wait();
    } catch (const std::exception&) {
    }
}

void OffloadedTensor::left()
{
    if (m_place != Place::Leaving)
        return;
    m_elements.reset();
    m_device.reset();
    m_place = Place::Host;
}

void OffloadedTensor::sendFor()
{
    if (m_place == Place::Leaving) {
        m_offload->wait();
        m_place = Place::Returning;
    }
    if (m_place == Place::Returning)
        return;
    m_device = m_offload->deviceMemoryFor(m_sizes, m_strides, m_host.tensor.scalar_type());
    m_elements = elementsOf(m_device);
    m_offload->copyBack(m_host, m_elements);
    m_place = Place::Returning;
}

at::Tensor OffloadedTensor::take()
{
    sendFor();
    m_offload->wait();
    m_place = Place::Host;
    m_elements.reset();
    return std::exchange(m_device, {});
}

// Detached: an input that the region changes in place would otherwise hold the graph that holds it.
CheckpointInputs::Input CheckpointInputs::keep(const at::Tensor& input, Residency residency)
{
    if (!input.defined())
        return {};
    const c10::VariableVersion& counter = input.unsafeGetTensorImpl()->version_counter();
    const at::Tensor kept(input.tensor_data());
    const bool mayLeave = residency == Residency::Offloadable && counter.enabled() && OffloadedTensor::canLeave(kept);
    return {torch::autograd::SavedVariable(kept, false), counter, counter.current_version(), input.requires_grad(),
        mayLeave ? kept : at::Tensor(), nullptr};
}

CheckpointInputs::CheckpointInputs(const std::vector<at::Tensor>& inputs, Residency residency)
{
    m_inputs.reserve(inputs.size());
    for (const at::Tensor& input : inputs)
        m_inputs.push_back(keep(input, residency));
}

std::vector<at::Tensor> CheckpointInputs::unpack(const std::string& where)
{
    std::vector<at::Tensor> result;
    for (const Input& input : m_inputs) {
        if (input.counter.enabled() && input.counter.current_version() != input.version)
            throw TrialError("input " + std::to_string(result.size()) + " was changed in place after the forward pass",
                where, "inputs that stay as they are until the backward pass has run");
        const at::Tensor tensor = input.tensor();
        result.emplace_back(tensor.defined() ? at::Tensor(tensor.tensor_data()) : tensor);
        if (input.offloaded) // returning from the host does not count as a change
            result.back().unsafeGetTensorImpl()->set_version_counter(c10::VariableVersion(input.version));
        if (input.requiresGrad)
            result.back().requires_grad_(true);
    }
    if (const auto before = m_before.lock())
        before->sendFor();
    return result;
}

void CheckpointInputs::offloadThrough(std::shared_ptr<InputOffload> offload, std::weak_ptr<CheckpointInputs> before)
{
    m_offload = std::move(offload);
    m_before = std::move(before);
}

// Hooks hold a separate tensor over the storage; without hooks, `saved` itself shares the tensor in `waiting`.
bool CheckpointInputs::Input::isHeldByNobodyElse() const
{
    return waiting.storage().use_count() == (saved.has_hooks() ? 2 : 1);
}

bool CheckpointInputs::leave()
{
    bool leaves = false;
    for (Input& input : m_inputs) {
        const bool goes = input.waiting.defined() && input.isHeldByNobodyElse();
        if (goes) {
            input.saved = {};
            input.offloaded = std::make_unique<OffloadedTensor>(m_offload, input.waiting);
        }
        input.waiting.reset();
        leaves = leaves || goes;
    }
    return leaves;
}

void CheckpointInputs::left()
{
    for (const Input& input : m_inputs)
        if (input.offloaded)
            input.offloaded->left();
}

void CheckpointInputs::sendFor()
{
    for (const Input& input : m_inputs)
        if (input.offloaded)
            input.offloaded->sendFor();
}

} // namespace headroom::tensor
