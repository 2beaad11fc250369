// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/OffloadedTensor.h"

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

} // namespace headroom::tensor
