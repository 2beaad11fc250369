// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/SavedTensorLabels.h"
#include "core/techniques/stack/TechniqueStack.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace headroom::techniques {

/// Counters of each technique, by key.
using StackCounters = std::map<std::string, Counters>;

/// What a record says of a block besides the memory and the time that it asks for: what techniques count in it, and
/// what it keeps for the backward pass. A shortcut reads it of blocks that run, and adds it for those that do not.
class BlockAccounts {
public:
    /// Both are borrowed.
    BlockAccounts(TechniqueStack& techniques, tensor::SavedTensorLabels& savedTensors);

    /// A step begins. What lies in the storages of these tensors is kept anyway: weights, the batch.
    void stepBegins(const std::vector<at::Tensor>& permanent);
    /// A pass through the blocks begins.
    void forwardBegins() { m_keptByRepeats = 0; }

    StackCounters counters() const { return m_techniques.counters(); }
    /// For `block` what `like` counted in one of its passes. False if that is not possible.
    bool countRepeated(std::int64_t block, std::int64_t like, const StackCounters& counted);

    /// Bytes that blocks which run keep now, and what others keep of theirs.
    Bytes keptBytes() const { return m_savedTensors.keptBytes(m_permanent); }
    bool isKept(const at::Tensor& tensor) const { return m_savedTensors.isKept(tensor); }
    std::unique_ptr<tensor::SavedTensorLabels::Kept> keep(
        const c10::Storage& storage, const tensor::LabelChange& change);
    /// A block that does not run keeps as much besides.
    void addKept(Bytes bytes) { m_keptByRepeats += bytes; }

    /// What is kept for the backward pass in all.
    Bytes keptForBackward() const { return keptBytes() + m_keptByRepeats; }

private:
    TechniqueStack& m_techniques;
    tensor::SavedTensorLabels& m_savedTensors;
    std::unordered_set<const c10::StorageImpl*> m_permanent;
    Bytes m_keptByRepeats = 0;
};

/// What was counted from `before` to `after`.
StackCounters countedBetween(const StackCounters& before, StackCounters after);

} // namespace headroom::techniques
