// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::tensor {

/// The results of one call of an op, kept until the call is repeated.
///
/// Tensors are kept as autograd keeps what it saves, through the hooks that are current at construction: an outer
/// checkpoint rebuilds them, and a counter of saved tensors sees them. Anything else is kept as it is.
class KeptResult {
public:
    explicit KeptResult(at::ArrayRef<c10::IValue> results);

    /// The results as the op returned them: new detached tensors over the kept storages.
    /// Throws TrialError at `where` if one was changed in place since; `call` names the call.
    std::vector<c10::IValue> values(const std::string& where, const std::string& call) const;

    /// The storage of each kept tensor.
    std::vector<c10::weak_intrusive_ptr<c10::StorageImpl>> storages() const;

    /// Counts in-place changes of the kept tensor in that storage.
    const c10::VariableVersion& counterOf(const c10::StorageImpl* storage) const;

private:
    struct KeptTensor {
        std::size_t position; ///< among the results
        torch::autograd::SavedVariable saved;
        c10::weak_intrusive_ptr<c10::StorageImpl> storage;
        c10::VariableVersion counter; ///< keeps no storage alive
        std::uint32_t version;
    };

    std::vector<c10::IValue> m_values; ///< the results that are not tensors
    std::vector<KeptTensor> m_tensors;
};

/// The op results that the forward of a checkpointed region kept, by op and by the call's number among the calls of
/// that op. Calls of untracked ops are not numbered.
class KeptResults {
public:
    using Op = const c10::FunctionSchema*; ///< schemas live as long as the process

    /// One call of a tracked op, with its number among the calls of that op.
    struct Call {
        Op op = nullptr;
        std::size_t number = 0;

        std::string text() const; ///< "aten::mm, call 0"
        bool operator==(const Call&) const = default;
    };

    /// Records a call of the forward whose result is recomputed, or is kept.
    Call addRecomputed(Op op);
    Call addKept(Op op, KeptResult result);

    /// A call whose result was kept is recomputed after all.
    void drop(const Call& call);

    const KeptResult& resultOf(const Call& call) const { return *m_calls.at(call.op)[call.number].result; }
    bool isTracked(Op op) const { return m_calls.contains(op); }

    enum class Use { Once, Retained };

    /// The results of a repeated call; nothing: it runs again. With Use::Once they are then forgotten.
    /// Throws TrialError at `where` if the forward had no such call, if a result was changed in place since, or if the
    /// results were used already.
    std::optional<std::vector<c10::IValue>> take(const Call& call, Use use, const std::string& where);

private:
    struct Entry {
        bool isKept = false;
        std::optional<KeptResult> result{};
    };

    Call add(Op op, Entry entry);

    std::unordered_map<Op, std::vector<Entry>> m_calls;
};

} // namespace headroom::tensor
