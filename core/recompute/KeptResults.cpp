// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/KeptResults.h"

#include "core/base/Error.h"

#include <algorithm>

namespace headroom::tensor {

KeptResult::KeptResult(at::ArrayRef<c10::IValue> results)
    : m_values(results.begin(), results.end())
{
    for (std::size_t position = 0; position < m_values.size(); ++position) {
        if (!m_values[position].isTensor() || !m_values[position].toTensor().defined())
            continue;
        const at::Tensor tensor = m_values[position].toTensor();
        m_values[position] = c10::IValue(at::Tensor());
        const c10::VariableVersion& counter = tensor.unsafeGetTensorImpl()->version_counter();
        m_tensors.push_back({position, torch::autograd::SavedVariable(at::Tensor(tensor.tensor_data()), false),
            tensor.storage().getWeakStorageImpl(), counter, counter.current_version()});
    }
}

std::vector<c10::IValue> KeptResult::values(const std::string& where, const std::string& call) const
{
    std::vector<c10::IValue> values = m_values;
    for (const KeptTensor& tensor : m_tensors) {
        if (tensor.counter.current_version() != tensor.version)
            throw TrialError("the kept result of " + call + " was changed in place after the forward pass", where,
                "results that stay as they are until the backward pass has run, or ops to keep without this one");
        values[tensor.position] = at::Tensor(tensor.saved.unpack().tensor_data());
    }
    return values;
}

std::vector<c10::weak_intrusive_ptr<c10::StorageImpl>> KeptResult::storages() const
{
    std::vector<c10::weak_intrusive_ptr<c10::StorageImpl>> storages;
    for (const KeptTensor& tensor : m_tensors)
        storages.push_back(tensor.storage);
    return storages;
}

const c10::VariableVersion& KeptResult::counterOf(const c10::StorageImpl* storage) const
{
    const auto holds = [&](const KeptTensor& tensor) { return tensor.storage._unsafe_get_target() == storage; };
    return std::ranges::find_if(m_tensors, holds)->counter;
}

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
