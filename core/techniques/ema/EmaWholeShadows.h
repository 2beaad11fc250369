// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/ema/EmaShadow.h"

namespace headroom::techniques {

/// On the device, updated there.
class EmaDeviceShadow final : public EmaShadow {
public:
    EmaDeviceShadow(config::EmaMode mode, const Tensors& parameters);
    void update(const Tensors& parameters, double weight) override;
    void finish() override { }
    std::string description() const override { return "on the device"; }
};

/// In host memory. For an update the whole shadow goes to the device and back, as diffusers' `--offload_ema` does, but
/// into the same host memory each time.
class EmaHostShadow final : public EmaShadow {
public:
    EmaHostShadow(config::EmaMode mode, const Tensors& parameters, tensor::HostMemory kind, tensor::TransferWait wait);
    void update(const Tensors& parameters, double weight) override;
    void finish() override;
    std::string description() const override;

private:
    tensor::TransferWait m_wait;
    c10::Device m_device = c10::kCPU;
};

/// In host memory, updated there: parameters that require gradients arrive in a buffer, the others in their shadow.
/// Where the buffer is pinned, the next parameter is on its way while one is updated; those that the mode takes at once
/// are waited for once.
class EmaCpuShadow final : public EmaShadow {
public:
    EmaCpuShadow(config::EmaMode mode, const Tensors& parameters, tensor::HostMemory kind);
    void update(const Tensors& parameters, double weight) override;
    void finish() override { }
    std::string description() const override;

private:
    /// What arrives together and is updated together: one parameter, or all that are trained.
    struct Batch {
        std::vector<std::size_t> parameters;
        Tensors shadows;
        Tensors places; ///< where the parameters arrive
    };
    /// Host memory in which a batch arrives.
    struct Buffer {
        at::Tensor bytes; ///< of the largest batch
        std::unique_ptr<tensor::SideStream> arrival; ///< of what is copied there by itself; null: the host waits
    };

    void planBatches();
    void addBuffer(c10::Device device, tensor::HostMemory kind);
    void reserveBuffers(c10::Device device, tensor::HostMemory kind);
    static Tensors placesOf(const Batch& batch, const at::Tensor& buffer);
    Buffer& bufferOf(std::size_t batch) { return m_buffers[batch % m_buffers.size()]; }
    void copyFrozen(const Tensors& parameters);
    void fetch(std::size_t batch, const Tensors& parameters);
    void settle(std::size_t batch, double weight);

    std::vector<bool> m_trainable;
    std::vector<Batch> m_batches;
    std::vector<Buffer> m_buffers; ///< of batches in turn
};

} // namespace headroom::techniques
