// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/OptimizerDescriptor.h"

#include <cmath>
#include <vector>

namespace headroom::techniques {

/// One parameter's optimizer, number by number in float64: what the papers and PyTorch's documentation say.
class UpdateReference {
public:
    UpdateReference(
        config::OptimizerNotation::Rule rule, const config::OptimizerOptions& options, std::vector<double> parameter)
        : m_rule(rule)
        , m_options(options)
        , m_parameter(std::move(parameter))
        , m_first(m_parameter.size())
        , m_second(m_parameter.size())
    {
    }

    void update(const std::vector<double>& gradient)
    {
        ++m_updates;
        for (std::size_t i = 0; i < m_parameter.size(); ++i)
            m_rule == config::OptimizerNotation::Rule::Sgd ? sgd(i, gradient[i]) : adamw(i, gradient[i]);
    }

    const std::vector<double>& parameter() const { return m_parameter; }

private:
    void sgd(std::size_t i, double gradient)
    {
        const double direction = gradient + m_options.weightDecay * m_parameter[i];
        m_first[i] = m_updates == 1 ? direction : m_options.momentum * m_first[i] + direction;
        m_parameter[i] -= m_options.learningRate * m_first[i];
    }

    void adamw(std::size_t i, double gradient)
    {
        const double lr = m_options.learningRate;
        m_parameter[i] -= lr * m_options.weightDecay * m_parameter[i];
        m_first[i] = m_options.beta1 * m_first[i] + (1 - m_options.beta1) * gradient;
        m_second[i] = m_options.beta2 * m_second[i] + (1 - m_options.beta2) * gradient * gradient;
        const double mean = m_first[i] / (1 - std::pow(m_options.beta1, m_updates));
        const double square = m_second[i] / (1 - std::pow(m_options.beta2, m_updates));
        m_parameter[i] -= lr * mean / (std::sqrt(square) + m_options.eps);
    }

    config::OptimizerNotation::Rule m_rule;
    config::OptimizerOptions m_options;
    std::vector<double> m_parameter, m_first, m_second;
    int m_updates = 0;
};

} // namespace headroom::techniques
