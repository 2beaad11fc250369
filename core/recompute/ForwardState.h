// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/autocast/AutocastState.h"
#include "core/tensor/RandomState.h"

#include <functional>
#include <optional>

namespace headroom::tensor {

/// What a forward depends on besides its inputs and weights: random numbers, autocast and, on CUDA, the stream.
class ForwardState {
public:
    /// Captures this thread's current state; `inputs` determine which devices matter.
    explicit ForwardState(const std::vector<at::Tensor>& inputs);

    /// Runs `action` under this state with gradients on, on any thread, and restores the previous state, random numbers
    /// included.
    void runUnder(const std::function<void()>& action) const;

private:
    void runOnStream(const std::function<void()>& action) const;

    std::vector<c10::Device> m_devices; ///< of the inputs, each once
    RandomState m_random;
    AutocastState m_autocast;
    std::optional<c10::Stream> m_stream; ///< CUDA's current stream
};

} // namespace headroom::tensor
