// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/TracePass.h"

#include "profiling/measurement/TrialMeasurement.h"

namespace headroom::collectors {
namespace {

std::vector<at::Tensor> stateOf(const models::Model& model)
{
    std::vector<at::Tensor> state = model.parameters();
    const std::vector<at::Tensor> buffers = model.buffers();
    state.insert(state.end(), buffers.begin(), buffers.end());
    return state;
}

} // namespace

TracePass::TracePass(Instruments& instruments, PhaseLedger& ledger, TraceSink* sink)
    : m_instruments(instruments)
    , m_ledger(ledger)
    , m_recorder(m_attribution, ledger, sink)
    , m_sink(sink)
    , m_hooks(m_savedTensors)
{
    m_attribution.setDeviceRelabelling([&instruments](std::uint64_t address, const tensor::LabelChange& change) {
        instruments.relabel(address, change);
    });
    m_instruments.observeAllocations([this](const LabelledEvent& event) { m_recorder.event(event); });
    m_ledger.setSpanListener([this](const trace::PhaseSpan& span) {
        m_instruments.handOnEvents();
        if (m_sink != nullptr)
            m_sink->phase(span);
    });
}

TracePass::~TracePass()
{
    m_instruments.observeAllocations(nullptr);
    m_ledger.setSpanListener(nullptr);
}

void TracePass::addModel(const models::Model& model)
{
    m_attribution.addModel(model);
    for (const at::Tensor& tensor : stateOf(model))
        tensor::relabel(tensor, {{config::MemoryCategory::Weights, m_attribution.moduleOf(tensor)}});
    m_gradients.emplace(model.parameters());
}

void TracePass::addSecondModel(const models::Model& model)
{
    m_attribution.addModel(model);
    for (const at::Tensor& tensor : stateOf(model))
        claim(tensor, config::MemoryCategory::Harness);
}

void TracePass::claim(const at::Tensor& tensor, config::MemoryCategory category)
{
    tensor::relabel(tensor, {{category}});
}

void TracePass::beginSpan()
{
    m_instruments.handOnEvents();
    m_instruments.claimWorkspaces();
    m_recorder.beginSpan();
}

void TracePass::stepEnded()
{
    m_instruments.handOnEvents();
    m_recorder.stepEnded();
    m_attribution.forgetForwards();
}

} // namespace headroom::collectors
