// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/DeviceTimeline.h"
#include "core/tensor/Torch.h"

#include <functional>
#include <memory>

namespace headroom::tensor {

/// Copies between the host and a device, or anything else that need not wait for the computation, on a stream of its
/// own: a CUDA stream; on the CPU a thread; on a simulated device a track of its time.
///
/// Work runs in the order of submission. What it reads and writes has to live until a wait for it has returned. On the
/// CPU a wait of the compute stream is a wait of the host, as the host computes. One thread at a time uses it.
class SideStream {
public:
    explicit SideStream(c10::Device device);
    /// Waits for all that was submitted.
    ~SideStream();
    SideStream(const SideStream&) = delete;
    SideStream& operator=(const SideStream&) = delete;

    /// Submits work; it may run at once or later, on this thread or another, with gradients off. It must not allocate
    /// tensors of the device.
    void run(std::function<void()> work);

    /// What is submitted from now on starts when the compute stream has done what it has now. The compute stream is
    /// the calling thread's current one.
    void waitForCompute();
    /// What is computed from now on starts when all that was submitted is done. Throws what the work threw, as far as
    /// it is known.
    void letComputeWait();
    /// The host waits for all that was submitted. Throws what the work threw.
    void synchronise();

    /// What a device needs to be one; see SideStream.cpp.
    class Implementation;

private:
    std::unique_ptr<Implementation> m_implementation;
};

/// Copies between host and device, of equal sizes and dtype, on the current stream; simulated devices take it for a
/// transfer. Non-blocking only where the host's side is pinned (CUDA).
void transfer(const at::Tensor& from, const at::Tensor& to, TransferDirection direction, TransferWait wait);

/// The value of a one-element tensor, read by the host, which waits for the device; NaN on a simulated one.
double readScalar(const at::Tensor& scalar);

} // namespace headroom::tensor
