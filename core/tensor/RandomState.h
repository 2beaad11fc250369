// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::tensor {

/// The state of the random generators of the CPU and of some devices.
///
/// The CPU's state is kept outside of tensors, so that it does not count as memory of the model.
class RandomState {
public:
    /// Captures the current state, including the generators of those of `devices` that have their own (CUDA).
    explicit RandomState(const std::vector<c10::Device>& devices);

    /// Restores the generators to it.
    void restore() const;

private:
    struct CpuState {
        at::mt19937 engine;
        std::optional<float> nextFloat; ///< normal numbers are generated in pairs
        std::optional<double> nextDouble;
    };
    struct DeviceState {
        c10::Device device;
        at::Tensor state;
    };

    CpuState m_cpu;
    std::vector<DeviceState> m_devices;
};

} // namespace headroom::tensor
