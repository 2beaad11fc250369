// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/KeptResult.h"

#include <optional>
#include <unordered_map>

namespace headroom::tensor {

/// What the forward of a checkpointed region kept of its ops' results, by op and by the number of the call among those
/// of the op. Calls of ops that are not tracked are not numbered.
class KeptResults {
public:
    using Op = const c10::FunctionSchema*; ///< schemas live as long as the process

    /// One call of a tracked op, with its number among those of the op.
    struct Call {
        Op op = nullptr;
        std::size_t number = 0;

        std::string text() const; ///< "aten::mm, call 0"
        bool operator==(const Call&) const = default;
    };

    /// Notes a call of the forward whose result is computed again, or is kept.
    Call addRecomputed(Op op);
    Call addKept(Op op, KeptResult result);

    /// A call whose result was kept is computed again after all.
    void drop(const Call& call);

    const KeptResult& resultOf(const Call& call) const { return *m_calls.at(call.op)[call.number].result; }
    bool isTracked(Op op) const { return m_calls.contains(op); }

    enum class Use { Once, Retained };

    /// The values of a call that is repeated; nothing: it runs again. Used once, they are forgotten.
    /// Throws TrialError at `where` when the forward did not have that call, when a value was changed in place since,
    /// and when the values were used already.
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
