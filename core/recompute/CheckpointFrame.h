// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/CheckpointInputs.h"
#include "core/recompute/ForwardState.h"
#include "core/recompute/KeptResults.h"
#include "core/recompute/OpSelection.h"
#include "core/recompute/Recomputation.h"

#include <mutex>
#include <optional>

namespace headroom::tensor {

/// A stretch of a forward that is run again instead of keeping what it saves.
struct CheckpointRegion {
    std::string name; ///< for messages: "block 3"
    /// Does with the inputs what the forward did. May be called on another thread, and once for each backward pass. It
    /// keeps nothing of the forward's tensors, and is left by an exception when enough has been rebuilt.
    std::function<void(const std::vector<at::Tensor>& inputs)> repeat;
};

/// How a region is checkpointed where that is not the plain way.
struct CheckpointOptions {
    EarlyStop earlyStop = EarlyStop::On;
    std::shared_ptr<OpSelection> selection = nullptr; ///< which results are kept; null: none
    std::shared_ptr<InputOffload> offload = nullptr; ///< null: inputs stay where they are
};

/// What a checkpointed region leaves behind until its backward pass: its inputs, the results that were to be kept, the
/// state to repeat it under, and of each tensor that it saved no more than traits.
///
/// The first tensor that a backward pass asks for makes the region run again; each tensor is handed out once and then
/// forgotten, also when the graph is retained: another backward pass repeats the region. Owned by the hooks of the
/// saved tensors, so that it goes when the last node that waits for one goes.
class CheckpointFrame {
public:
    /// The inputs are kept through the saved-tensor hooks that are current now.
    CheckpointFrame(CheckpointRegion region, const std::vector<at::Tensor>& inputs, CheckpointOptions options = {});

    /// Notes a tensor that the forward saves; returns its position.
    std::size_t note(const at::Tensor& tensor);

    /// The node that saved it is gone.
    void forget(std::size_t position);

    /// The tensor of that position. Throws TrialError when the region does not repeat itself, when an input was
    /// changed, and when a backward pass asks twice.
    at::Tensor rebuild(std::size_t position);

    /// What the forward keeps beside its inputs; for the one that watches it.
    KeptResults& results() { return m_results; }

private:
    /// What one backward pass has rebuilt and not yet fetched.
    struct Pass {
        int graphTask = kNoGraphTask;
        std::vector<at::Tensor> tensors;
    };
    static constexpr int kNoGraphTask = -1; ///< the engine's word for "outside of a backward pass"

    Pass repeat(int graphTask);
    at::Tensor take(std::size_t position);

    const CheckpointRegion m_region;
    const std::string m_where;
    const CheckpointOptions m_options;
    const std::shared_ptr<CheckpointInputs> m_inputs;
    const ForwardState m_state;
    KeptResults m_results;
    /// A graph with tensors on several devices is walked by several threads. A region may ask for its own tensors.
    std::recursive_mutex m_mutex;
    std::vector<SavedPosition> m_positions;
    std::optional<Pass> m_pass;
};

} // namespace headroom::tensor
