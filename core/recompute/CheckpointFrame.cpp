// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/CheckpointFrame.h"

#include "core/base/Error.h"
#include "core/tensor/OpInterceptor.h"

namespace headroom::tensor {
namespace {

using Residency = CheckpointInputs::Residency;

/// Returns what a region's forward kept, in place of the ops of its repetition.
class ResultReplay final : public OpTransformer {
public:
    /// All are borrowed; `where` names the region in messages.
    ResultReplay(OpSelection& selection, KeptResults& results, KeptResults::Use use, const std::string& where);

    bool transform(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;

    /// While it lives, this thread's ops go through the replay.
    class Scope {
    public:
        explicit Scope(ResultReplay& replay);

    private:
        OpInterceptor m_interceptor;
        OpInterceptor::Scope m_scope;
    };

private:
    std::optional<std::vector<c10::IValue>> valuesOf(KeptResults::Op op);

    OpSelection& m_selection;
    KeptResults& m_results;
    KeptResults::Use m_use;
    const std::string& m_where;
    std::unordered_map<KeptResults::Op, std::size_t> m_calls; ///< calls so far
};

ResultReplay::ResultReplay(OpSelection& selection, KeptResults& results, KeptResults::Use use, const std::string& where)
    : m_selection(selection)
    , m_results(results)
    , m_use(use)
    , m_where(where)
{
}

std::optional<std::vector<c10::IValue>> ResultReplay::valuesOf(KeptResults::Op op)
{
    if (!m_results.isTracked(op))
        return std::nullopt;
    return m_results.take({op, m_calls[op]++}, m_use, m_where);
}

bool ResultReplay::transform(const c10::OperatorHandle& op, torch::jit::Stack& stack)
{
    std::optional<std::vector<c10::IValue>> values = valuesOf(&op.schema());
    if (!values) {
        m_selection.ranAgain(op);
        return false;
    }
    torch::jit::drop(stack, op.schema().arguments().size());
    for (c10::IValue& value : *values)
        stack.push_back(std::move(value));
    return true;
}

ResultReplay::Scope::Scope(ResultReplay& replay)
    : m_scope(m_interceptor)
{
    m_interceptor.setTransformer(&replay);
}

// Outside of a backward pass it is unknown whether another one will follow.
KeptResults::Use useOfPass(int graphTask, int noGraphTask)
{
    return graphTask == noGraphTask || torch::autograd::get_current_graph_task_keep_graph() ? KeptResults::Use::Retained
                                                                                            : KeptResults::Use::Once;
}

} // namespace

CheckpointFrame::CheckpointFrame(
    CheckpointRegion region, const std::vector<at::Tensor>& inputs, CheckpointOptions options)
    : m_region(std::move(region))
    , m_where("checkpointed " + m_region.name)
    , m_options(std::move(options))
    , m_inputs(
          std::make_shared<CheckpointInputs>(inputs, m_options.offload ? Residency::Offloadable : Residency::Permanent))
    , m_state(inputs)
{
    if (m_options.offload)
        m_options.offload->add(m_inputs);
}

std::size_t CheckpointFrame::note(const at::Tensor& tensor)
{
    const std::scoped_lock lock(m_mutex);
    m_positions.push_back({traitsOf(tensor)});
    return m_positions.size() - 1;
}

void CheckpointFrame::forget(std::size_t position)
{
    const std::scoped_lock lock(m_mutex);
    m_positions[position].isNeeded = false;
    if (m_pass && position < m_pass->tensors.size())
        m_pass->tensors[position].reset();
}

at::Tensor CheckpointFrame::rebuild(std::size_t position)
{
    const std::scoped_lock lock(m_mutex);
    const int graphTask = torch::autograd::get_current_graph_task_id();
    if (!m_pass || m_pass->graphTask != graphTask || graphTask == kNoGraphTask)
        m_pass = repeat(graphTask);
    return take(position);
}

CheckpointFrame::Pass CheckpointFrame::repeat(int graphTask)
{
    Recomputation recomputation(m_where, m_positions, m_options.earlyStop);
    const std::vector<at::Tensor> inputs = m_inputs->unpack(m_where);
    m_state.runUnder([&] {
        if (!m_options.selection)
            return recomputation.run([&] { m_region.repeat(inputs); });
        ResultReplay replay(*m_options.selection, m_results, useOfPass(graphTask, kNoGraphTask), m_where);
        const ResultReplay::Scope replaying(replay);
        recomputation.run([&] { m_region.repeat(inputs); });
    });
    return {graphTask, recomputation.takeTensors()};
}

at::Tensor CheckpointFrame::take(std::size_t position)
{
    at::Tensor tensor = std::move(m_pass->tensors.at(position));
    m_pass->tensors[position].reset();
    const std::string what = "the saved tensor in position " + std::to_string(position);
    if (!tensor.defined())
        throw TrialError(what + " was asked for twice in one backward pass", m_where,
            "once, as it is forgotten then; another backward pass over a retained graph rebuilds it");
    if (tensor._version() != m_positions[position].traits.version)
        throw TrialError(what + " is changed in place after it is saved", m_where,
            "saved tensors that stay as they are until they are used");
    return tensor;
}

} // namespace headroom::tensor
