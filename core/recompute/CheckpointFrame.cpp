// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/CheckpointFrame.h"

#include "core/base/Error.h"
#include "core/tensor/OpInterceptor.h"

#include <algorithm>

namespace headroom::tensor {
namespace {

std::vector<c10::Device> devicesOf(const std::vector<at::Tensor>& inputs)
{
    std::vector<c10::Device> devices;
    for (const at::Tensor& input : inputs)
        if (input.defined() && std::find(devices.begin(), devices.end(), input.device()) == devices.end())
            devices.push_back(input.device());
    return devices;
}

// The CPU's autocast matters wherever the inputs are.
std::vector<c10::DeviceType> kindsOf(const std::vector<c10::Device>& devices)
{
    std::vector<c10::DeviceType> kinds{c10::DeviceType::CPU};
    for (const c10::Device& device : devices)
        if (std::find(kinds.begin(), kinds.end(), device.type()) == kinds.end())
            kinds.push_back(device.type());
    return kinds;
}

c10::Stream currentStream(c10::Device device)
{
    return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

std::optional<c10::Stream> streamOf(const std::vector<c10::Device>& devices)
{
    const auto device = std::find_if(devices.begin(), devices.end(), [](const c10::Device& d) { return d.is_cuda(); });
    return device == devices.end() ? std::nullopt : std::optional(currentStream(*device));
}

// Work added to `later` from now on runs after the work in `earlier`.
void order(const c10::Stream& earlier, const c10::Stream& later)
{
    if (earlier == later)
        return;
    c10::Event event(earlier.device_type());
    event.record(earlier);
    event.block(later);
}

// Restores the random state even if an exception is thrown.
class RandomScope {
public:
    RandomScope(const RandomState& state, const std::vector<c10::Device>& devices)
        : m_surrounding(devices)
    {
        state.restore();
    }
    ~RandomScope() { m_surrounding.restore(); }
    RandomScope(const RandomScope&) = delete;
    RandomScope& operator=(const RandomScope&) = delete;

private:
    RandomState m_surrounding;
};

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

ForwardState::ForwardState(const std::vector<at::Tensor>& inputs)
    : m_devices(devicesOf(inputs))
    , m_random(m_devices)
    , m_autocast(kindsOf(m_devices))
    , m_stream(streamOf(m_devices))
{
}

void ForwardState::runUnder(const std::function<void()>& action) const
{
    const at::AutoGradMode gradients(true);
    const AutocastState::Scope autocast(m_autocast);
    const RandomScope random(m_random, m_devices);
    runOnStream(action);
}

// The engine runs a node on the stream of its forward; if a forward changes streams inside, a tensor may be requested
// on one of those.
void ForwardState::runOnStream(const std::function<void()>& action) const
{
    if (!m_stream)
        return action();
    const c10::Stream surrounding = currentStream(m_stream->device());
    order(surrounding, *m_stream);
    {
        const c10::StreamGuard guard(*m_stream);
        action();
    }
    order(*m_stream, surrounding);
}

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
