// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/InputOffload.h"

namespace headroom::tensor {

/// A tensor whose bytes are in host memory, or in transit to or from it.
class OffloadedTensor {
public:
    /// Whether a tensor can be offloaded: its elements must fill its storage, so that it can be restored exactly.
    static bool canLeave(const at::Tensor& tensor);

    /// Starts copying the tensor to the host.
    OffloadedTensor(std::shared_ptr<InputOffload> offload, const at::Tensor& tensor);
    ~OffloadedTensor();
    OffloadedTensor(const OffloadedTensor&) = delete;
    OffloadedTensor& operator=(const OffloadedTensor&) = delete;

    /// The copy is complete (InputOffload::wait): device memory is freed, unless the tensor is on its way back already.
    void left();

    /// Starts copying it back. Does nothing if it is on the device already.
    void sendFor();

    /// The tensor on the device again, for the caller only; starts the copy if `sendFor` was not called.
    at::Tensor take();

private:
    enum class Place { Leaving, Host, Returning };

    std::shared_ptr<InputOffload> m_offload;
    std::vector<std::int64_t> m_sizes;
    std::vector<std::int64_t> m_strides;
    HostTensor m_host;
    at::Tensor m_device; ///< during a copy
    at::Tensor m_elements; ///< of m_device, in memory order
    Place m_place = Place::Leaving;
};

} // namespace headroom::tensor
