// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/ResultRecorder.h"

#include "core/memory/MemoryScopes.h"

namespace headroom::tensor {
namespace {

at::ArrayRef<c10::IValue> lastOf(const torch::jit::Stack& stack, std::size_t count)
{
    return at::ArrayRef<c10::IValue>(stack).slice(stack.size() - count, count);
}

at::ArrayRef<c10::IValue> argumentsOf(const OpCall& call)
{
    return lastOf(call.stack, call.op.schema().arguments().size());
}

const c10::StorageImpl* storageOf(const at::Tensor& tensor)
{
    return tensor.defined() && tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
}

template <typename Action> void forEachTensor(const c10::IValue& value, const Action& action)
{
    if (value.isTensor())
        action(value.toTensor());
    else if (value.isTensorList())
        for (const at::Tensor& tensor : value.toTensorVector())
            action(tensor);
}

// Autograd itself gives a view that it knows of the counter of what it is a view of.
void restoreCounter(const at::Tensor& tensor, const c10::VariableVersion& own)
{
    if (tensor.defined() && !tensor.is_view())
        tensor.unsafeGetTensorImpl()->set_version_counter(own);
}

bool isWritten(const c10::Argument& argument)
{
    return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

} // namespace

ResultRecorder::ResultRecorder(OpSelection& selection, KeptResults& results, const SavedTensorHookSource& region)
    : m_selection(selection)
    , m_results(results)
    , m_region(region)
    , m_outside(SavedTensorHookScope::current())
    , m_technique(scopedLabel().technique)
{
}

void ResultRecorder::before(const OpCall& call)
{
    m_choice = m_selection.choose(call.op, argumentsOf(call));
    if (!m_storages.empty() && call.op.schema().is_mutable())
        dropWritten(call);
}

void ResultRecorder::dropWritten(const OpCall& call)
{
    const auto& parameters = call.op.schema().arguments();
    const auto arguments = argumentsOf(call);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!isWritten(parameters[i]))
            continue;
        forEachTensor(arguments[i], [&](const at::Tensor& tensor) {
            const auto kept = m_storages.find(storageOf(tensor));
            if (kept == m_storages.end())
                return;
            drop(KeptCall(kept->second));
        });
    }
}

// Its aliases count for themselves again, as they will in the repetition, which saves them at the same versions.
void ResultRecorder::drop(const KeptCall& dropped)
{
    m_selection.dropped(dropped.op);
    m_results.drop(dropped.call);
    std::erase_if(m_storages, [&](const auto& other) {
        if (other.second.call == dropped.call)
            for (const Alias& alias : other.second.aliases)
                restoreCounter(at::Tensor(alias.tensor.lock()), alias.own);
        return other.second.call == dropped.call;
    });
}

void ResultRecorder::after(const OpCall& call)
{
    const auto results = lastOf(call.stack, call.op.schema().returns().size());
    if (!m_storages.empty())
        followAliases(results);
    if (m_choice == OpSelection::Choice::Keep && SavedTensorHookScope::current() == &m_region)
        keep(call, results);
    else if (m_choice != OpSelection::Choice::Untracked)
        m_results.addRecomputed(&call.op.schema());
}

// Autograd treats the result of some ops (_unsafe_view) as a separate tensor although it is a view. Its separate
// version counter would hide changes made through it.
void ResultRecorder::followAliases(at::ArrayRef<c10::IValue> results)
{
    for (const c10::IValue& value : results)
        forEachTensor(value, [&](const at::Tensor& tensor) {
            const c10::StorageImpl* storage = storageOf(tensor);
            const auto kept = m_storages.find(storage);
            if (kept == m_storages.end())
                return;
            kept->second.aliases.push_back(
                {decltype(Alias::tensor)(tensor.getIntrusivePtr()), tensor.unsafeGetTensorImpl()->version_counter()});
            tensor.unsafeGetTensorImpl()->set_version_counter(m_results.resultOf(kept->second.call).counterOf(storage));
        });
}

void ResultRecorder::keep(const OpCall& call, at::ArrayRef<c10::IValue> results)
{
    const MemoryScope technique(m_technique);
    const SavedTensorHookScope outside(m_outside);
    KeptResult kept(results);
    const auto storages = kept.storages();
    const KeptResults::Call number = m_results.addKept(&call.op.schema(), std::move(kept));
    for (const auto& storage : storages)
        m_storages.insert_or_assign(storage._unsafe_get_target(), KeptCall{number, call.op});
    m_selection.kept(call.op);
}

} // namespace headroom::tensor
