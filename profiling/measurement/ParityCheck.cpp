// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/ParityCheck.h"

#include "core/autocast/AutocastRegion.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/tensor/DeviceContext.h"
#include "core/tensor/SavedTensorHooks.h"
#include "core/training/Loss.h"
#include "core/weights/Safetensors.h"
#include "profiling/measurement/FirstStep.h"
#include "profiling/measurement/OutputComparison.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace headroom::collectors {
namespace {

using config::InputForm;
using config::UpstreamInput;

/// Takes the tensors of one file, argument by argument.
class InputReader {
public:
    InputReader(const std::string& file, const at::TensorOptions& options)
        : m_reader(file)
        , m_file(file)
        , m_options(options)
    {
        for (const auto& [name, entry] : m_reader.header().tensors)
            m_left.insert(name);
    }

    void read(models::Inputs& inputs, const UpstreamInput& argument)
    {
        const bool isTuple = argument.elements > 1;
        if (isTuple && !has(argument.name) && has(argument.name + ".0"))
            readTuple(inputs, argument);
        else if (has(argument.name) && isTuple && argument.form != InputForm::HostNumbers)
            throw FileError(
                "has a tensor \"" + argument.name + "\", which is a tuple of " + std::to_string(argument.elements),
                m_file, argument.name + ".0, " + argument.name + ".1");
        else if (has(argument.name))
            inputs[argument.name] = inForm(take(argument.name), argument);
        else if (argument.presence == UpstreamInput::Presence::Required)
            throw FileError("has no tensor \"" + argument.name + "\", an argument of the model's forward", m_file);
    }

    void requireNothingLeft(const config::UpstreamFamily& upstream) const
    {
        if (m_left.empty())
            return;
        std::vector<std::string> names;
        for (const UpstreamInput& argument : upstream.inputs)
            names.push_back(argument.name);
        throw FileError(
            "tensor \"" + *m_left.begin() + "\" is no argument of the model's forward", m_file, joined(names));
    }

private:
    bool has(const std::string& name) const { return m_left.contains(name); }

    at::Tensor take(const std::string& name)
    {
        if (m_left.erase(name) == 0)
            throw FileError("has no tensor \"" + name + "\"", m_file);
        return m_reader.read(name);
    }

    // Numbers for the host are one tensor to the model, however they were written.
    void readTuple(models::Inputs& inputs, const UpstreamInput& argument)
    {
        std::vector<at::Tensor> numbers;
        for (std::size_t i = 0; i < argument.elements; ++i) {
            const std::string name = argument.name + "." + std::to_string(i);
            at::Tensor element = take(name);
            if (argument.form == InputForm::HostNumbers)
                numbers.push_back(element.reshape({-1}));
            else
                inputs[name] = inForm(element, argument);
        }
        if (!numbers.empty())
            inputs[argument.name] = inForm(at::cat(numbers), argument);
    }

    at::Tensor inForm(const at::Tensor& given, const UpstreamInput& argument) const
    {
        if (argument.form == InputForm::HostNumbers)
            return hostNumbers(given, argument);
        if (argument.form == InputForm::Activation && given.is_floating_point())
            return given.to(m_options);
        return given.to(m_options.device());
    }

    at::Tensor hostNumbers(const at::Tensor& given, const UpstreamInput& argument) const
    {
        if (given.numel() != static_cast<std::int64_t>(argument.elements))
            throw FileError("tensor \"" + argument.name + "\" has " + std::to_string(given.numel()) + " elements",
                m_file, std::to_string(argument.elements));
        return given.reshape({-1});
    }

    tensor::SafetensorsReader m_reader;
    std::string m_file;
    at::TensorOptions m_options;
    std::set<std::string> m_left;
};

const std::string kOutput = "output";
const std::string kGradient = "grad.";
const std::string kInputGradient = "grad_input.";

std::optional<c10::ScalarType> autocastType(const std::string& autocast)
{
    if (autocast == "off")
        return std::nullopt;
    return autocast == "bfloat16" ? at::kBFloat16 : at::kHalf;
}

std::optional<double> finite(std::optional<double> value)
{
    return value && std::isfinite(*value) ? value : std::nullopt;
}

// Techniques that need a training step are applied too: the kind of step changes neither output nor gradients.
std::vector<config::StepKind> possibleSteps(bool withGradients)
{
    using enum config::StepKind;
    return withGradients ? std::vector{ForwardBackward, Train} : std::vector{Inference, ForwardBackward, Train};
}

} // namespace

models::Inputs readParityInputs(const std::string& file, const config::UpstreamFamily& upstream,
    const config::ValueMap& fields, const at::TensorOptions& options)
{
    InputReader reader(file, options);
    models::Inputs inputs;
    for (const UpstreamInput& argument : upstream.inputs)
        reader.read(inputs, argument);
    reader.requireNothingLeft(upstream);
    std::set<std::string> given;
    for (const auto& [name, input] : inputs)
        given.insert(name);
    const std::string problem = upstream.inputProblem ? upstream.inputProblem(fields, given) : std::string();
    if (!problem.empty())
        throw FileError(problem, file);
    return inputs;
}

ParityCheck::ParityCheck(const config::Trial& trial, const protocol::ParityFiles& files)
    : m_trial(trial)
    , m_tolerance(files.tolerance)
    , m_expected(files.expected)
    , m_options(tensor::tensorOptions(trial.device, trial.configuration.workload.dtype))
{
    if (!trial.device.computes())
        throw UsageError(trial.device.name() + " computes nothing", "--device", "cpu, cuda:N");
    if (!m_expected.header().tensors.contains(kOutput))
        throw FileError("has no tensor \"output\", which is what is compared first", files.expected);
    m_trial.configuration = configurationThatWorks(trial.configuration);
    const config::ModelFamily& family = *config::findModel(trial.configuration.model, "model.name").family;
    m_inputs = readParityInputs(files.inputs, family.upstream, m_trial.configuration.modelFields, m_options);
    tensor::prepareSavedTensorHooks();
}

bool ParityCheck::wantsGradients() const
{
    return std::ranges::any_of(
        m_expected.header().tensors, [](const auto& item) { return item.first.starts_with("grad"); });
}

config::Configuration ParityCheck::configurationThatWorks(config::Configuration configuration) const
{
    // The compared loss is not one of the family's: any of the family's serves to check which techniques work.
    configuration.workload.loss = config::findModel(configuration.model, "model.name").family->losses.front();
    std::vector<std::string> reasons;
    for (const config::StepKind step : possibleSteps(wantsGradients())) {
        configuration.workload.step = step;
        const auto found = config::conflictsOfAnyShapes(configuration);
        if (found.empty())
            return configuration;
        if (reasons.empty())
            reasons = found;
    }
    const bool isOfGradients = wantsGradients() && [&] {
        configuration.workload.step = config::StepKind::Inference;
        return config::conflictsOfAnyShapes(configuration).empty();
    }();
    throw UsageError(reasons.front()
            + (isOfGradients ? "; the output alone can be compared, with an expectation that has no gradients" : ""),
        "parity");
}

protocol::ParityResult ParityCheck::run()
{
    const models::WeightMismatch mismatch = models::compareWeights(m_trial.configuration);
    m_result.missing = mismatch.missing;
    m_result.unexpected = mismatch.unexpected;
    for (const auto& shape : mismatch.shapes)
        m_result.wrongShapes.push_back({shape.name, shape.found, shape.expected});
    if (!mismatch.isEmpty())
        return m_result;
    loadModel();
    forwardAndBackward();
    m_result.effective = m_techniques->effective();
    for (const auto& [name, entry] : m_expected.header().tensors)
        compare(name);
    return m_result;
}

void ParityCheck::loadModel()
{
    LoadedModel loaded = freshModel(
        m_trial.configuration, m_trial.device, WeightPlacement::AsTechniquesKeepThem, config::ShapesAre::Unknown);
    m_techniques = std::move(loaded.techniques);
    m_model = std::move(loaded.model);
    m_techniques->apply(*m_model);
    m_model->eval();
}

// What techniques do to a batch comes first, so that the gradients belong to the inputs that the model reads.
models::Inputs ParityCheck::preparedBatch()
{
    m_techniques->hooks().holdInputs(m_inputs);
    models::Inputs batch = m_inputs;
    m_techniques->hooks().prepareInputs(batch);
    for (auto& [name, input] : batch) {
        if (!m_expected.header().tensors.contains(kInputGradient + name) || !input.is_floating_point())
            continue;
        input = input.detach().clone().requires_grad_(true);
        m_leaves[name] = input;
    }
    return batch;
}

void ParityCheck::forwardAndBackward()
{
    const at::AutoGradMode recording(wantsGradients());
    m_techniques->hooks().beginStep();
    const models::Inputs inputs = preparedBatch();
    at::Tensor loss;
    {
        const tensor::AutocastRegion autocast(
            autocastType(m_trial.configuration.workload.autocast), tensor::autocastListsOf(m_options.device()));
        const at::Tensor output = m_model->forward(inputs);
        m_output = output.detach();
        if (wantsGradients())
            loss = training::lossOf(config::Loss::MeanSquare, output, {});
    }
    if (!loss.defined())
        return;
    if (!loss.requires_grad())
        throw UsageError("nothing has a gradient", "parity", "an expectation without gradients, or trainable = all");
    loss.backward();
    m_techniques->hooks().microStepDone(loss.detach());
}

at::Tensor ParityCheck::parameterGradient(const std::string& name) const
{
    const auto parameters = m_model->named_parameters();
    const at::Tensor* parameter = parameters.find(name);
    return parameter == nullptr ? at::Tensor() : parameter->grad();
}

// Undefined for a tensor that the model does not compute.
at::Tensor ParityCheck::computed(const std::string& name) const
{
    if (name == kOutput)
        return m_output;
    if (name.starts_with(kGradient))
        return parameterGradient(name.substr(kGradient.size()));
    if (!name.starts_with(kInputGradient))
        return {};
    const auto leaf = m_leaves.find(name.substr(kInputGradient.size()));
    return leaf == m_leaves.end() ? at::Tensor() : leaf->second.grad();
}

void ParityCheck::compare(const std::string& name)
{
    const at::Tensor own = computed(name);
    if (!own.defined()) {
        m_result.missing.push_back(name);
        return;
    }
    const at::Tensor expected = m_expected.view(name);
    protocol::ParityTensor tensor{name, own.sizes().vec(), {}, {}, {}, false};
    if (!own.sizes().equals(expected.sizes())) {
        m_result.wrongShapes.push_back({name, expected.sizes().vec(), own.sizes().vec()});
    } else if (own.numel() == 0) {
        tensor.pass = true;
    } else if (const auto numerics = compareOutputs(own.to(at::kCPU), expected)) {
        tensor.maxAbs = finite(numerics->outputMaxAbs);
        tensor.meanAbs = finite(numerics->outputMeanAbs);
        tensor.relL2 = finite(numerics->outputRelL2);
        tensor.pass = tensor.relL2 ? *tensor.relL2 <= m_tolerance : tensor.maxAbs == 0.0;
    }
    m_result.tensors.push_back(tensor);
}

} // namespace headroom::collectors
