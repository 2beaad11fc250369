// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/optimizer/Optimizer.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/memory/MemoryAttribution.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterHome.h"
#include "core/tensor/DeviceContext.h"

#include <cmath>
#include <tuple>

namespace headroom::techniques {
namespace {

// A function of its own wherever Python frees an operand before the next operator: a C++ expression keeps all of its
// temporaries to its end. And a name for each left operand, which Python computes first: C++ leaves the order open.
at::Tensor scaledSquare(const at::Tensor& gradient, double scale)
{
    return scale * at::square(gradient);
}

at::Tensor movedMean(const at::Tensor& mean, double decay, const at::Tensor& gradient)
{
    const at::Tensor kept = decay * mean;
    return kept + (1 - decay) * gradient;
}

at::Tensor movedSquares(const at::Tensor& squares, double decay, const at::Tensor& gradient)
{
    const at::Tensor kept = decay * squares;
    return kept + scaledSquare(gradient, 1 - decay);
}

at::Tensor raisedRoot(const at::Tensor& squares, double eps)
{
    return at::sqrt(squares) + eps;
}

at::Tensor quotient(const at::Tensor& first, double step, const at::Tensor& second, double eps)
{
    const at::Tensor numerator = step * first;
    return numerator / raisedRoot(second, eps);
}

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

WrittenUpdate::WrittenUpdate(config::OptimizerNotation::Rule rule, const config::OptimizerOptions& options)
    : m_rule(rule)
    , m_options(options)
{
}

void WrittenUpdate::update(at::Tensor parameter, OptimizerState& state)
{
    m_variables.gradient = parameter.grad().detach();
    m_rule == config::OptimizerNotation::Rule::Sgd ? sgd(parameter, state) : adamw(parameter, state);
}

void WrittenUpdate::sgd(at::Tensor& parameter, OptimizerState& state)
{
    m_variables.first = m_variables.gradient;
    if (m_options.weightDecay != 0)
        m_variables.first = m_variables.gradient + m_options.weightDecay * parameter;
    if (m_options.momentum != 0) {
        m_variables.first = state.first.defined() ? m_options.momentum * state.first + m_variables.first
                                                  : m_variables.first.clone(); // the gradient may be cleared in place
        state.first = m_variables.first;
    }
    parameter.sub_(m_options.learningRate * m_variables.first);
}

void WrittenUpdate::adamw(at::Tensor& parameter, OptimizerState& state)
{
    if (m_options.weightDecay != 0)
        parameter.sub_(m_options.learningRate * m_options.weightDecay * parameter);
    m_variables.oldFirst = stateOrZeros(state.first);
    m_variables.oldSecond = stateOrZeros(state.second);
    m_variables.first = movedMean(m_variables.oldFirst, m_options.beta1, m_variables.gradient);
    m_variables.second = movedSquares(m_variables.oldSecond, m_options.beta2, m_variables.gradient);
    const auto updates = static_cast<double>(state.updates);
    const double root = std::sqrt(1 - std::pow(m_options.beta2, updates));
    const double step = m_options.learningRate * root / (1 - std::pow(m_options.beta1, updates));
    parameter.sub_(quotient(m_variables.first, step, m_variables.second, m_options.eps * root));
    state.first = m_variables.first;
    state.second = m_variables.second;
}

at::Tensor WrittenUpdate::stateOrZeros(const at::Tensor& kept) const
{
    const at::Tensor zeros = at::zeros_like(m_variables.gradient);
    return kept.defined() ? kept : zeros;
}

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
