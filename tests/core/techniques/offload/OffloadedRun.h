// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/optimizer/Optimizer.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "tests/support/torch/TestDevice.h"

namespace headroom::techniques {

/// Notations by key.
using Notations = std::map<std::string, std::string>;

inline config::Configuration offloadedConfiguration(
    const std::string& model, const config::ValueMap& fields, const Notations& techniques)
{
    config::Configuration configuration = config::defaultConfiguration(model, "");
    for (const auto& [name, value] : fields)
        configuration.modelFields[name] = value;
    for (const auto& [key, notation] : techniques)
        configuration.techniques[key] = config::makeSetting(config::findTechnique(key, ""), notation, {}, key);
    return configuration;
}

/// A model with its techniques, as a trial has it, loaded the way the techniques ask for; on the test device unless
/// the options name another.
class OffloadedRun {
public:
    OffloadedRun(const config::Configuration& configuration, const at::TensorOptions& options)
        : m_stack(configuration)
    {
        at::manual_seed(5);
        m_model = m_stack.load(onTestDevice(options));
        m_stack.apply(*m_model);
        at::manual_seed(6);
        m_inputs = models::makeInputs(configuration, onTestDevice(options));
    }

    at::Tensor infer()
    {
        const torch::NoGradGuard noGradients;
        m_stack.hooks().beginStep();
        return m_model->forward(m_inputs);
    }

    /// One update of all trainable parameters; returns the output.
    at::Tensor train(int microSteps = 1)
    {
        m_stack.hooks().beginStep();
        for (at::Tensor parameter : m_model->parameters())
            parameter.mutable_grad() = at::Tensor();
        at::Tensor output;
        for (int step = 0; step < microSteps; ++step) {
            output = m_model->forward(m_inputs);
            const at::Tensor loss = output.square().mean();
            loss.backward();
            m_stack.hooks().microStepDone(loss.detach());
        }
        ParameterUpdater* chosen = m_stack.hooks().optimizer;
        (chosen == nullptr ? *m_plain : *chosen).update(trainable());
        return output.detach();
    }

    std::vector<at::Tensor> trainable() const
    {
        std::vector<at::Tensor> parameters = m_model->parameters();
        std::erase_if(parameters, [](const at::Tensor& parameter) { return !parameter.requires_grad(); });
        return parameters;
    }

    models::Model& model() { return *m_model; }
    const models::Inputs& inputs() const { return m_inputs; }
    TechniqueStack& stack() { return m_stack; }
    std::int64_t counter(const char* name) const { return m_stack.counters().at("offload").at(name); }

private:
    TechniqueStack m_stack;
    std::unique_ptr<ParameterUpdater> m_plain = plainOptimizer();
    std::shared_ptr<models::Model> m_model;
    models::Inputs m_inputs;
};

} // namespace headroom::techniques
