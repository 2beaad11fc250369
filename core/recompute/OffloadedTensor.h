// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/InputOffload.h"

namespace headroom::tensor {

/// A tensor whose bytes are in host memory, or on their way there or back.
class OffloadedTensor {
public:
    /// Whether a tensor can go: its elements fill its storage, so that all of it comes back as it was.
    static bool canLeave(const at::Tensor& tensor);

    /// The tensor begins to leave.
    OffloadedTensor(std::shared_ptr<InputOffload> offload, const at::Tensor& tensor);
    ~OffloadedTensor();
    OffloadedTensor(const OffloadedTensor&) = delete;
    OffloadedTensor& operator=(const OffloadedTensor&) = delete;

    /// It has arrived (InputOffload::wait): its device memory is let go, unless it was sent for already.
    void left();

    /// It begins to come back. Nothing happens where it is there already.
    void sendFor();

    /// The tensor on the device again, for the caller alone; sent for now where it was not before.
    at::Tensor take();

private:
    enum class Place { Leaving, Host, Returning };

    std::shared_ptr<InputOffload> m_offload;
    std::vector<std::int64_t> m_sizes;
    std::vector<std::int64_t> m_strides;
    HostTensor m_host;
    at::Tensor m_device; ///< while it is on its way
    at::Tensor m_elements; ///< of it, in the order in which they lie in memory
    Place m_place = Place::Leaving;
};

} // namespace headroom::tensor
