// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/memory/MemoryLabel.h"
#include "core/tensor/SavedTensorHooks.h"

#include <memory>
#include <unordered_set>

namespace headroom::tensor {

/// Labels what autograd and checkpoints keep for the backward pass as saved activations, until the last holder releases
/// it. Saved weights and inputs keep their labels.
///
/// The outermost scope of a traced forward: checkpoints keep their inputs through it. Saved tensors are held as
/// autograd would hold them, so that lifetimes do not change.
class SavedTensorLabels final : public SavedTensorHookSource {
    class Register;

public:
    /// A storage that is kept as if autograd had saved a tensor in it, until this ends.
    class Kept {
    public:
        Kept(std::shared_ptr<Register> savedTensors, const c10::Storage& storage, const LabelChange& change);
        ~Kept();
        Kept(const Kept&) = delete;
        Kept& operator=(const Kept&) = delete;

        /// Ends it; the storage becomes a temporary again, unless somebody else keeps it.
        void drop(const LabelChange& change);

    private:
        std::shared_ptr<Register> m_register; ///< null: it has ended
        c10::StorageImpl* m_storage;
    };

    SavedTensorLabels();
    ~SavedTensorLabels() override;

    std::unique_ptr<torch::autograd::SavedVariableHooks> makeHooks() override;

    /// For a block that is not run: keeps the storage, which must outlive what is returned.
    std::unique_ptr<Kept> keep(const c10::Storage& storage, const LabelChange& change);

    bool isKept(const at::Tensor& tensor) const;
    /// Bytes of the storages that are kept now, each counted once, without those of `except`.
    Bytes keptBytes(const std::unordered_set<const c10::StorageImpl*>& except) const;

private:
    class LabellingHooks;

    std::shared_ptr<Register> m_register; ///< outlives every hook, as each hook holds it
};

} // namespace headroom::tensor
