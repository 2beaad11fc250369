// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/optimizer/Optimizer.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/memory/MemoryAttribution.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterHome.h"
#include "core/tensor/DeviceContext.h"

#include <tuple>

namespace headroom::techniques {
namespace {

using Form = config::OptimizerNotation::Form;
using Rule = config::OptimizerNotation::Rule;

constexpr const char* kOptimizerKey = "optimizer";

void labelState(const OptimizerState& state, const at::Tensor& parameter)
{
    const tensor::MemoryAttribution* attribution = tensor::MemoryAttribution::active();
    if (attribution == nullptr)
        return;
    const tensor::MemoryLabel label{
        config::MemoryCategory::OptimizerState, attribution->moduleOf(parameter), kOptimizerKey};
    for (const at::Tensor& tensor : {state.first, state.second, state.count})
        tensor::relabel(tensor, {label, tensor::LabelChange::Rule::Claim});
}

std::int64_t stateBytes(const OptimizerState& state)
{
    std::int64_t bytes = 0;
    for (const at::Tensor& tensor : {state.first, state.second, state.count})
        bytes += tensor.defined() ? static_cast<std::int64_t>(tensor.nbytes()) : 0;
    return bytes;
}

void appendTensor(std::vector<at::Tensor>& list, const at::Tensor& tensor)
{
    if (tensor.defined())
        list.push_back(tensor);
}

// The list in the type; those that have it already stay the same tensors.
std::vector<at::Tensor> converted(const std::vector<at::Tensor>& list, c10::ScalarType type)
{
    std::vector<at::Tensor> result;
    for (const at::Tensor& tensor : list)
        result.push_back(tensor.to(type));
    return result;
}

void takeBack(const std::vector<at::Tensor>& computed, const std::vector<at::Tensor>& kept)
{
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (!computed[i].is_same(kept[i]))
            at::Tensor(kept[i]).copy_(computed[i]);
}

void updateConverted(const UpdateRule& rule, const UpdateBatch& batch, c10::ScalarType type)
{
    const UpdateBatch computed{converted(batch.parameters, type), converted(batch.gradients, type),
        converted(batch.first, type), converted(batch.second, type), batch.counts, batch.updates};
    rule.update(computed);
    takeBack(computed.parameters, batch.parameters);
    takeBack(computed.first, batch.first);
    takeBack(computed.second, batch.second);
}

} // namespace

struct Optimizer::Slot {
    at::Tensor parameter;
    std::size_t index = 0;
};

Optimizer::Optimizer(const config::TechniqueSetting& setting)
    : m_notation(config::parseOptimizer(setting.notation, "techniques.optimizer"))
    , m_options(config::optimizerOptions(setting))
    , m_rule(updateRule(m_notation, m_options))
    , m_written(m_notation.rule, m_options)
{
}

Optimizer::~Optimizer() = default;

StepHooks Optimizer::apply(models::Model&)
{
    return {.beginStep = [this] { beginStep(); }, .optimizer = this};
}

// What is measured began before a trace did: its state is there already.
void Optimizer::beginStep()
{
    m_updated = 0;
    for (std::size_t i = 0; i < m_states.size(); ++i)
        labelState(m_states[i], m_parameters[i]);
}

void Optimizer::update(const std::vector<at::Tensor>& parameters)
{
    const torch::NoGradGuard noGradients;
    const tensor::MemoryScope technique(kOptimizerKey);
    m_parameters = parameters;
    m_states.resize(parameters.size());
    std::size_t index = 0;
    for (const auto& run : tensor::parameterRuns(parameters)) {
        std::vector<Slot> slots;
        for (const at::Tensor& parameter : run) {
            if (parameter.grad().defined())
                slots.push_back({parameter, index});
            ++index;
        }
        updateRun(slots);
    }
    m_written.functionEnds();
}

void Optimizer::updateRun(const std::vector<Slot>& slots)
{
    std::vector<at::Tensor> parameters;
    for (const Slot& slot : slots)
        parameters.push_back(slot.parameter);
    const tensor::ParametersOnDevice present(parameters);
    if (m_notation.form == Form::Expressions) {
        for (const Slot& slot : slots)
            updateWritten(slot);
        return;
    }
    if (m_notation.form == Form::Loop) {
        for (const Slot& slot : slots)
            updateTogether({slot});
        return;
    }
    // Kernels for lists take one dtype at a time; the first update is another one than those that follow.
    std::map<std::pair<c10::ScalarType, bool>, std::vector<Slot>> lists;
    for (const Slot& slot : slots)
        lists[{slot.parameter.scalar_type(), m_states[slot.index].updates > 0}].push_back(slot);
    for (const auto& [kind, list] : lists)
        updateTogether(list);
}

void Optimizer::updateWritten(const Slot& slot)
{
    OptimizerState& state = m_states[slot.index];
    ++state.updates;
    m_written.update(slot.parameter, state);
    labelState(state, slot.parameter);
    ++m_updated;
}

void Optimizer::updateTogether(const std::vector<Slot>& slots)
{
    UpdateBatch batch;
    for (const Slot& slot : slots) {
        const OptimizerState& state = prepared(slot);
        batch.parameters.push_back(slot.parameter);
        batch.gradients.push_back(slot.parameter.grad());
        appendTensor(batch.first, state.first);
        appendTensor(batch.second, state.second);
        appendTensor(batch.counts, state.count);
        batch.updates.push_back(state.updates);
    }
    const c10::ScalarType type = slots.front().parameter.scalar_type();
    updateConverted(*m_rule, batch, c10::promoteTypes(type, stateType(slots.front().parameter)));
    m_updated += static_cast<std::int64_t>(slots.size());
}

OptimizerState& Optimizer::prepared(const Slot& slot)
{
    OptimizerState& state = m_states[slot.index];
    if (state.updates++ > 0)
        return state;
    {
        const tensor::MemoryScope category(config::MemoryCategory::OptimizerState);
        state = m_rule->initialState(slot.parameter, stateType(slot.parameter));
    }
    state.updates = 1;
    labelState(state, slot.parameter);
    return state;
}

c10::ScalarType Optimizer::stateType(const at::Tensor& parameter) const
{
    return m_options.stateDtype ? tensor::scalarType(*m_options.stateDtype) : parameter.scalar_type();
}

Counters Optimizer::counters() const
{
    std::int64_t bytes = 0;
    for (const OptimizerState& state : m_states)
        bytes += stateBytes(state);
    return {{"parameters_updated", m_updated}, {"state_bytes", bytes}};
}

std::string Optimizer::effective() const
{
    const std::string state = m_options.stateDtype ? config::toText(*m_options.stateDtype) : "the parameters' format";
    const bool hasState = m_notation.rule == Rule::Adamw || m_options.momentum != 0;
    return config::toText(m_notation) + (hasState ? ", state in " + state : ", without state");
}

std::unique_ptr<ParameterUpdater> plainOptimizer()
{
    const config::TechniqueDescriptor& descriptor = config::findTechnique("optimizer", "techniques");
    return std::make_unique<Optimizer>(config::makeSetting(descriptor, descriptor.off, {}, "techniques"));
}

} // namespace headroom::techniques
