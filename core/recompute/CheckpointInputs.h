// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/OffloadedTensor.h"

namespace headroom::tensor {

/// The inputs of a checkpointed region, kept as autograd keeps what it saves: through the hooks that are current when
/// this is made. So an outer checkpoint rebuilds them, and a counter of saved tensors sees them.
///
/// With an InputOffload those that nobody else holds any more go to the host: one that other blocks use too, or that is
/// saved elsewhere, would stay where it is all the same.
class CheckpointInputs {
public:
    /// Whether inputs may go to the host later: those are told from the ones that others hold by who holds their
    /// storages.
    enum class Stay { ForGood, ForNow };

    /// Undefined inputs stay undefined.
    explicit CheckpointInputs(const std::vector<at::Tensor>& inputs, Stay stay = Stay::ForGood);

    /// The inputs without history, requiring gradients where they did, with the storages they had (or, from the host,
    /// with storages like them). Throws TrialError at `where` when one was changed in place since.
    std::vector<at::Tensor> unpack(const std::string& where);

    /// They may go to the host. `before` is sent for when these are unpacked; it may be gone by then.
    void offloadThrough(std::shared_ptr<InputOffload> offload, std::weak_ptr<CheckpointInputs> before);

    // InputOffload tells which is when.
    /// Those that may go begin to leave; false: none may.
    bool leave();
    /// They have left.
    void left();
    /// They begin to come back.
    void sendFor();

private:
    struct Input {
        torch::autograd::SavedVariable saved;
        c10::VariableVersion counter; ///< counts changes in place; keeps no storage alive
        std::uint32_t version = 0;
        bool requiresGrad = false;
        at::Tensor waiting; ///< may leave; undefined: may not
        std::unique_ptr<OffloadedTensor> offloaded; ///< instead of `saved`

        bool isHeldByNobodyElse() const;
        at::Tensor tensor() const { return offloaded ? offloaded->take() : saved.unpack(); }
    };

    static Input keep(const at::Tensor& input, Stay stay);

    std::vector<Input> m_inputs;
    std::shared_ptr<InputOffload> m_offload;
    std::weak_ptr<CheckpointInputs> m_before;
};

} // namespace headroom::tensor
