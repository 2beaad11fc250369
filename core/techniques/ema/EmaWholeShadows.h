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
class EmaCpuShadow final : public EmaShadow {
public:
    EmaCpuShadow(config::EmaMode mode, const Tensors& parameters, tensor::HostMemory kind);
    void update(const Tensors& parameters, double weight) override;
    void finish() override { }
    std::string description() const override;

private:
    void reserveArrivals(c10::Device device, tensor::HostMemory kind);
    at::Tensor arrivalOf(std::size_t index) const;
    void move(Tensors& shadows, Tensors& arrived, double weight) const;

    std::vector<bool> m_trainable;
    at::Tensor m_arrivals; ///< bytes: of the largest parameter, or of all where the mode takes them at once
    std::vector<std::int64_t> m_offsets; ///< of each parameter's arrival
};

} // namespace headroom::techniques
