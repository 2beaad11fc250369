// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/autocast/AutocastState.h"
#include "core/recompute/CheckpointInputs.h"
#include "core/recompute/KeptResults.h"
#include "core/recompute/OpSelection.h"
#include "core/recompute/Recomputation.h"
#include "core/tensor/RandomState.h"

#include <functional>
#include <mutex>
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

/// A part of a forward that is run again instead of keeping what it saves.
struct CheckpointRegion {
    std::string name; ///< for messages: "block 3"
    /// Repeats with the inputs what the forward did. May be called on another thread, and once per backward pass. It
    /// keeps no tensors of the forward, and is left by an exception once enough has been rebuilt.
    std::function<void(const std::vector<at::Tensor>& inputs)> repeat;
};

/// Options of a checkpointed region.
struct CheckpointOptions {
    EarlyStop earlyStop = EarlyStop::On;
    std::shared_ptr<OpSelection> selection = nullptr; ///< which results are kept; null: none
    std::shared_ptr<InputOffload> offload = nullptr; ///< null: inputs stay on the device
};

/// What a checkpointed region keeps until its backward pass: its inputs, the results that were selected, the state to
/// repeat it under, and for each tensor that it saved only its traits.
///
/// The first tensor that a backward pass asks for makes the region run again; each tensor is handed out once and then
/// forgotten, even if the graph is retained: another backward pass repeats the region. Owned by the hooks of the saved
/// tensors, so that it is freed with the last node that needs one.
class CheckpointFrame {
public:
    /// The inputs are kept through the current saved-tensor hooks.
    CheckpointFrame(CheckpointRegion region, const std::vector<at::Tensor>& inputs, CheckpointOptions options = {});

    /// Records a tensor that the forward saves; returns its position.
    std::size_t note(const at::Tensor& tensor);

    /// The node that saved the tensor is gone.
    void forget(std::size_t position);

    /// The tensor at that position. Throws TrialError if the repetition differs from the forward, if an input was
    /// changed, or if a backward pass asks twice.
    at::Tensor rebuild(std::size_t position);

    /// What the forward keeps besides its inputs; for the recorder that watches it.
    KeptResults& results() { return m_results; }

private:
    /// What one backward pass has rebuilt but not yet fetched.
    struct Pass {
        int graphTask = kNoGraphTask;
        std::vector<at::Tensor> tensors;
    };
    static constexpr int kNoGraphTask = -1; ///< the engine's value outside of a backward pass

    Pass repeat(int graphTask);
    at::Tensor take(std::size_t position);

    const CheckpointRegion m_region;
    const std::string m_where;
    const CheckpointOptions m_options;
    const std::shared_ptr<CheckpointInputs> m_inputs;
    const ForwardState m_state;
    KeptResults m_results;
    /// A graph with tensors on several devices is traversed by several threads. A region may ask for its own tensors.
    std::recursive_mutex m_mutex;
    std::vector<SavedPosition> m_positions;
    std::optional<Pass> m_pass;
};

} // namespace headroom::tensor
