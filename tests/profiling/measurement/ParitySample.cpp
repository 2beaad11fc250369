// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/measurement/ParitySample.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Upstream.h"
#include "core/models/families/ModelZoo.h"
#include "profiling/measurement/ParityCheck.h"
#include "tests/support/Configurations.h"

#include <algorithm>
#include <cmath>

namespace headroom::collectors {
namespace {

config::Dtype dtypeOf(c10::ScalarType type)
{
    return type == at::kDouble  ? config::Dtype::Float64
        : type == at::kBFloat16 ? config::Dtype::BFloat16
                                : config::Dtype::Float32;
}

bool isActivation(const std::string& model, const std::string& name)
{
    for (const config::UpstreamInput& input : config::upstreamOf(config::findModel(model, "").family->name).inputs)
        if (input.name == name)
            return input.form == config::InputForm::Activation;
    return false;
}

// Products stay of the size of what enters them, and vectors are neither zero nor one.
at::Tensor randomWeight(const at::Tensor& parameter)
{
    const at::Tensor values = at::randn(parameter.sizes());
    if (parameter.dim() < 2)
        return values * 0.3 + 0.7;
    return values / std::sqrt(static_cast<double>(parameter.numel()) / static_cast<double>(parameter.size(0)));
}

} // namespace

ParitySample::ParitySample(const std::string& model, c10::ScalarType stored)
{
    at::manual_seed(11);
    trial.configuration = config::defaultConfiguration(model, "");
    const auto built = models::buildModel(trial.configuration, at::kFloat);
    for (const auto& item : built->named_parameters())
        weights.emplace_back(item.key(), randomWeight(item.value()).to(stored));
    for (const auto& [name, input] : models::makeInputs(trial.configuration, at::kFloat))
        inputs.emplace_back(name, input.is_floating_point() && isActivation(model, name) ? input.to(stored) : input);
    trial.configuration.workload.dtype = dtypeOf(stored);
    if (config::findModel(model, "").family->hasAttention)
        set("attention", "math");
}

at::Tensor& ParitySample::weight(const std::string& name)
{
    return std::ranges::find(weights, name, [](const auto& item) { return item.first; })->second;
}

void ParitySample::set(const std::string& technique, const std::string& notation, const config::ValueMap& options)
{
    choose(trial.configuration, technique, notation, options);
}

// The model as it is without any technique.
std::shared_ptr<models::Model> ParitySample::plainModel() const
{
    config::Configuration configuration = config::defaultConfiguration(trial.configuration.model, "");
    configuration.modelFields = trial.configuration.modelFields;
    auto model = models::buildModel(configuration, at::kDouble);
    model->eval();
    const torch::NoGradGuard noGradients;
    for (const auto& item : model->named_parameters())
        item.value().copy_(std::ranges::find(weights, item.key(), [](const auto& w) { return w.first; })->second);
    return model;
}

models::Inputs ParitySample::inputsInDouble() const
{
    models::Inputs converted;
    for (const auto& [name, input] : inputs)
        converted[name] =
            input.is_floating_point() && isActivation(trial.configuration.model, name) ? input.to(at::kDouble) : input;
    return converted;
}

void ParitySample::expectOutput()
{
    const torch::NoGradGuard noGradients;
    expected = {{"output", plainModel()->forward(inputsInDouble())}};
}

void ParitySample::expectGradients()
{
    const auto model = plainModel();
    models::Inputs batch = inputsInDouble();
    for (auto& [name, input] : batch)
        if (input.is_floating_point() && isActivation(trial.configuration.model, name))
            input = input.detach().clone().requires_grad_(true);
    const at::Tensor output = model->forward(batch);
    output.square().mean().backward();
    expected = {{"output", output.detach()}};
    for (const auto& item : model->named_parameters())
        expected.emplace_back("grad." + item.key(), item.value().grad());
    for (const auto& [name, input] : batch)
        if (input.requires_grad())
            expected.emplace_back("grad_input." + name, input.grad());
}

protocol::ParityResult ParitySample::compare(double tolerance)
{
    const auto path = [&](const char* name) { return (m_folder.path() / name).string(); };
    tensor::writeSafetensors(path("w.safetensors"), weights);
    tensor::writeSafetensors(path("i.safetensors"), inputs);
    tensor::writeSafetensors(path("e.safetensors"), expected);
    if (trial.configuration.modelFields[config::kWeightsField] != config::Value(config::kFilledWeights))
        trial.configuration.modelFields[config::kWeightsField] = path("w.safetensors");
    return ParityCheck(trial, {path("i.safetensors"), path("e.safetensors"), tolerance}).run();
}

} // namespace headroom::collectors
