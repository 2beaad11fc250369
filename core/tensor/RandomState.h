// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::tensor {

/// What the random generators of the CPU and of some devices draw next.
///
/// The CPU's state is kept outside of tensors: it is no memory of the model's.
class RandomState {
public:
    /// The state as it is now, with the generators of those of `devices` that have one of their own (CUDA).
    explicit RandomState(const std::vector<c10::Device>& devices);

    /// Sets the generators back to it.
    void restore() const;

private:
    struct CpuState {
        at::mt19937 engine;
        std::optional<float> nextFloat; ///< normal numbers are drawn in pairs
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
