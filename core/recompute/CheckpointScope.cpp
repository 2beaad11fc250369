// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/CheckpointScope.h"

#include "core/memory/MemoryScopes.h"
#include "core/recompute/KeptResults.h"
#include "core/recompute/OpSelection.h"
#include "core/tensor/OpInterceptor.h"
#include "core/tensor/SavedTensorHooks.h"

namespace headroom::tensor {
namespace {

/// Watches the forward of a checkpointed region and keeps the results that a selection chooses.
///
/// Results that the region itself changes in place are not kept: its repetition must start from what was there before.
/// Inside another checkpoint nothing is kept: the outer one decides for everything that runs in it.
class ResultRecorder final : public OpObserver {
public:
    /// Constructed where the region begins, on the thread that runs it: results are kept through the hooks that are
    /// current then. `region` is the source of the region's own hooks. All are borrowed.
    ResultRecorder(OpSelection& selection, KeptResults& results, const SavedTensorHookSource& region);

    void before(const OpCall& call) override;
    void after(const OpCall& call) override;

private:
    /// Shares the counter of a kept result, of which autograd does not know that it is a view.
    struct Alias {
        c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> tensor;
        c10::VariableVersion own; ///< its counter until then
    };
    struct KeptCall {
        KeptResults::Call call;
        c10::OperatorHandle op;
        std::vector<Alias> aliases{};
    };

    void keep(const OpCall& call, at::ArrayRef<c10::IValue> results);
    void dropWritten(const OpCall& call);
    void drop(const KeptCall& dropped);
    void followAliases(at::ArrayRef<c10::IValue> results);

    OpSelection& m_selection;
    KeptResults& m_results;
    const SavedTensorHookSource& m_region;
    SavedTensorHookSource* m_outside;
    std::string_view m_technique;
    OpSelection::Choice m_choice = OpSelection::Choice::Untracked;
    std::unordered_map<const c10::StorageImpl*, KeptCall> m_storages; ///< storages that hold kept results
};

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

// Takes a saved tensor's place in the graph: holds only its position.
class PositionHooks final : public torch::autograd::SavedVariableHooks {
public:
    explicit PositionHooks(std::shared_ptr<CheckpointFrame> frame)
        : m_frame(std::move(frame))
    {
    }
    ~PositionHooks() override
    {
        if (m_position)
            m_frame->forget(*m_position);
    }
    PositionHooks(const PositionHooks&) = delete;
    PositionHooks& operator=(const PositionHooks&) = delete;

    void call_pack_hook(const at::Tensor& tensor) override { m_position = m_frame->note(tensor); }
    at::Tensor call_unpack_hook() override { return m_frame->rebuild(m_position.value()); }

private:
    std::shared_ptr<CheckpointFrame> m_frame;
    std::optional<std::size_t> m_position;
};

} // namespace

class CheckpointScope::Source final : public SavedTensorHookSource {
public:
    Source(CheckpointRegion region, const std::vector<at::Tensor>& inputs, CheckpointOptions options)
        : m_frame(std::make_shared<CheckpointFrame>(std::move(region), inputs, std::move(options)))
    {
    }
    std::unique_ptr<torch::autograd::SavedVariableHooks> makeHooks() override
    {
        return std::make_unique<PositionHooks>(m_frame);
    }
    KeptResults& results() { return m_frame->results(); }

private:
    std::shared_ptr<CheckpointFrame> m_frame;
};

// Keeps results while the region's forward runs.
class CheckpointScope::Watch {
public:
    Watch(std::shared_ptr<OpSelection> selection, Source& source)
        : m_selection(std::move(selection))
        , m_recorder(*m_selection, source.results(), source)
        , m_scope(m_interceptor)
    {
        m_interceptor.addObserver(m_recorder);
    }

private:
    std::shared_ptr<OpSelection> m_selection;
    ResultRecorder m_recorder;
    OpInterceptor m_interceptor;
    OpInterceptor::Scope m_scope;
};

CheckpointScope::CheckpointScope(
    CheckpointRegion region, const std::vector<at::Tensor>& inputs, CheckpointOptions options)
{
    if (!at::GradMode::is_enabled())
        return;
    const auto selection = options.selection;
    m_source = std::make_unique<Source>(std::move(region), inputs, std::move(options));
    if (selection)
        m_watch = std::make_unique<Watch>(selection, *m_source);
    m_hooks.emplace(*m_source);
}

CheckpointScope::~CheckpointScope() = default;

} // namespace headroom::tensor
