// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/OffloadedTensor.h"

namespace headroom::tensor {

/// The inputs of a checkpointed region, kept as autograd keeps what it saves: through the hooks that are current at
/// construction. So an outer checkpoint rebuilds them, and a counter of saved tensors sees them.
///
/// With an InputOffload, inputs that nobody else holds any more are moved to the host: one that other blocks use too,
/// or that is saved elsewhere, would stay on the device anyway.
class CheckpointInputs {
public:
    /// Whether inputs may move to the host later: use counts of their storages tell whether anyone else holds them.
    enum class Residency { Permanent, Offloadable };

    /// Undefined inputs stay undefined.
    explicit CheckpointInputs(const std::vector<at::Tensor>& inputs, Residency residency = Residency::Permanent);

    /// The detached inputs, requiring gradients as before, with their former storages (or, from the host, with equal
    /// new ones). Throws TrialError at `where` if one was changed in place since.
    std::vector<at::Tensor> unpack(const std::string& where);

    /// Allows the inputs to move to the host. Unpacking these prefetches `before`, which may be gone by then.
    void offloadThrough(std::shared_ptr<InputOffload> offload, std::weak_ptr<CheckpointInputs> before);

    // InputOffload calls these.
    /// Starts copying the inputs that may move to the host; false: there are none.
    bool leave();
    /// The copies to the host are complete.
    void left();
    /// Starts copying them back.
    void sendFor();

private:
    struct Input {
        torch::autograd::SavedVariable saved;
        c10::VariableVersion counter; ///< counts in-place changes; keeps no storage alive
        std::uint32_t version = 0;
        bool requiresGrad = false;
        at::Tensor waiting; ///< may move to the host; undefined: may not
        std::unique_ptr<OffloadedTensor> offloaded; ///< used instead of `saved`

        bool isHeldByNobodyElse() const;
        at::Tensor tensor() const { return offloaded ? offloaded->take() : saved.unpack(); }
    };

    static Input keep(const at::Tensor& input, Residency residency);

    std::vector<Input> m_inputs;
    std::shared_ptr<InputOffload> m_offload;
    std::weak_ptr<CheckpointInputs> m_before;
};

} // namespace headroom::tensor
