// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/KeptResults.h"

#include "core/base/Error.h"

namespace headroom::tensor {

std::string KeptResults::Call::text() const
{
    return op->name() + ", call " + std::to_string(number);
}

KeptResults::Call KeptResults::add(Op op, Entry entry)
{
    std::vector<Entry>& calls = m_calls[op];
    calls.push_back(std::move(entry));
    return {op, calls.size() - 1};
}

KeptResults::Call KeptResults::addRecomputed(Op op)
{
    return add(op, {});
}

KeptResults::Call KeptResults::addKept(Op op, KeptResult result)
{
    return add(op, {true, std::move(result)});
}

void KeptResults::drop(const Call& call)
{
    m_calls.at(call.op)[call.number] = {};
}

std::optional<std::vector<c10::IValue>> KeptResults::take(const Call& call, Use use, const std::string& where)
{
    std::vector<Entry>& calls = m_calls.at(call.op);
    if (call.number >= calls.size())
        throw TrialError("run again for the backward pass, it came to " + call.text() + ", which the forward pass had "
                + std::to_string(calls.size()) + " calls of",
            where, "a forward that does the same each time");
    Entry& entry = calls[call.number];
    if (!entry.isKept)
        return std::nullopt;
    if (!entry.result)
        throw TrialError("the kept result of " + call.text() + " was used up by an earlier backward pass", where,
            "backward passes with retain_graph, except the last one");
    std::vector<c10::IValue> values = entry.result->values(where, call.text());
    if (use == Use::Once)
        entry.result.reset();
    return values;
}

} // namespace headroom::tensor
