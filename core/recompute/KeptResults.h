// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/KeptResult.h"

#include <optional>
#include <unordered_map>

namespace headroom::tensor {

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
