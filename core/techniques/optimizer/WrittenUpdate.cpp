// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/optimizer/WrittenUpdate.h"

#include <cmath>

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

} // namespace headroom::techniques
