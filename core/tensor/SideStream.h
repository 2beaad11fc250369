// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/DeviceTimeline.h"
#include "core/tensor/Torch.h"

#include <functional>
#include <memory>

namespace headroom::tensor {

/// A separate stream for copies between host and device, or anything else that need not wait for the computation: a
/// CUDA stream; on the CPU a thread; on a simulated device a separate timeline.
///
/// Work runs in the order of submission. What it reads and writes must live until a wait for it has returned. On the
/// CPU a wait of the compute stream is a wait of the host, as the host computes. Only one thread at a time may use it.
class SideStream {
public:
    explicit SideStream(c10::Device device);
    /// Waits for all submitted work.
    ~SideStream();
    SideStream(const SideStream&) = delete;
    SideStream& operator=(const SideStream&) = delete;

    /// Submits work; it may run at once or later, on this thread or another, with gradients off. It must not allocate
    /// tensors on the device.
    void run(std::function<void()> work);

    /// Work submitted from now on starts when the compute stream has finished its work so far. The compute stream is
    /// the calling thread's current stream.
    void waitForCompute();
    /// Computation from now on starts when all submitted work is done. Throws what the work threw, as far as that is
    /// known.
    void letComputeWait();
    /// The host waits for all submitted work. Throws what the work threw.
    void synchronise();

    /// What each kind of device implements; see SideStream.cpp.
    class Implementation;

private:
    std::unique_ptr<Implementation> m_implementation;
};

/// Copies between host and device, of equal sizes and dtype, on the current stream; simulated devices count it as a
/// transfer. Non-blocking only if the host tensor is pinned (CUDA).
void transfer(const at::Tensor& from, const at::Tensor& to, TransferDirection direction, TransferWait wait);

/// Reads the value of a one-element tensor on the host, which waits for the device; NaN on a simulated device.
double readScalar(const at::Tensor& scalar);

} // namespace headroom::tensor
