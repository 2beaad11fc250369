// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/ImportedModels.h"
#include "core/models/imported/ImportedModel.h"
#include "core/recompute/SavedTensorCounter.h"
#include "core/training/StepRunner.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/reference/ReferenceValues.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/TestDevice.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace headroom::models {

/// In which a model computes: as it was exported, or with its float32 raised to float64, where sums in another order
/// differ by some 1e-15 and not by 1e-7 times whatever the model amplifies it by.
enum class Precision { AsExported, Double };

/// The archive with float64 wherever it says float32. The stored values of what is raised stay behind.
inline archive::ExportedModel inDouble(archive::ExportedModel model)
{
    constexpr int kFloat32 = 7; // in the schema's numbers
    constexpr int kFloat64 = 8;
    const auto raise = [](archive::TensorInfo& info) {
        const bool isRaised = info.scalarType == kFloat32;
        info.scalarType = isRaised ? kFloat64 : info.scalarType;
        return isRaised;
    };
    for (archive::StoredTensor& stored : model.tensors)
        if (raise(stored.info))
            stored.entry.clear();
    for (archive::UserInput& input : model.inputs)
        if (input.tensor)
            raise(*input.tensor);
    for (auto& [value, info] : model.graph.tensors)
        raise(info);
    for (archive::Node& node : model.graph.nodes)
        for (archive::NamedArgument& input : node.inputs)
            if (input.value.kind == archive::ArgumentKind::ScalarType && input.value.integer == kFloat32)
                input.value.integer = kFloat64;
    return model;
}

/// A small model that tests/reference/imported_values.py exported, with weights and inputs of the fill rule.
class ImportedCase {
public:
    explicit ImportedCase(const std::string& name, Precision precision = Precision::AsExported)
        : values(reference::valuesOf("imported/" + name + ".json"))
        , modelName(config::importModel(checkout("tests/reference/imported/" + name + ".pt2")))
        , archive(config::importedArchiveOf(modelName))
        , model(made(archive))
    {
        model->train();
        reference::fillParameters(*model);
        if (precision == Precision::Double)
            use(std::make_shared<const archive::ExportedModel>(inDouble(*archive)));
        for (const auto& [input, told] : values.at("inputs").items())
            inputs.emplace(input, inputOf(told));
        if (precision == Precision::Double)
            for (auto& [input, value] : inputs)
                value = value.scalar_type() == at::kFloat ? value.to(at::kDouble) : value;
    }

    /// A configuration of the model with the archive's own sizes.
    config::Configuration configuration(
        const std::map<std::string, std::string>& techniques = {}, const config::ValueMap& workload = {}) const
    {
        return configurationOf(modelName, techniques, {}, workload);
    }

    /// Makes the model anew from a changed archive, with the same weights and buffers.
    void use(std::shared_ptr<const archive::ExportedModel> changed)
    {
        const auto before = model;
        archive = std::move(changed);
        model = made(archive);
        model->train();
        reference::fillParameters(*model);
        const torch::NoGradGuard noGradients;
        auto buffers = model->named_buffers();
        for (const auto& item : before->named_buffers())
            buffers[item.key()].copy_(item.value());
    }

    std::int64_t seed() const { return values.at("seed").get<std::int64_t>(); }

    nlohmann::json values; ///< of Python
    std::string modelName;
    std::shared_ptr<const archive::ExportedModel> archive;
    std::shared_ptr<ImportedModel> model;
    Inputs inputs;

private:
    static std::shared_ptr<ImportedModel> made(const std::shared_ptr<const archive::ExportedModel>& archive)
    {
        return std::make_shared<ImportedModel>(archive, std::string(), at::TensorOptions().device(testDevice()));
    }

    static at::Tensor inputOf(const nlohmann::json& told)
    {
        if (told.contains("number"))
            return at::scalar_tensor(told.at("number").get<std::int64_t>(), at::TensorOptions(at::kLong));
        const auto shape = told.at("shape").get<std::vector<std::int64_t>>();
        if (told.contains("fill_seed"))
            return reference::filled(shape, told.at("fill_seed").get<std::uint32_t>());
        const auto numbers = told.at("values").get<std::vector<double>>();
        return at::tensor(numbers, at::TensorOptions(at::kDouble))
            .to(typeOf(told.at("dtype").get<std::string>()))
            .view(shape)
            .to(testDevice());
    }

    static at::ScalarType typeOf(const std::string& name)
    {
        static const std::map<std::string, at::ScalarType> kTypes{
            {"float32", at::kFloat}, {"int64", at::kLong}, {"bool", at::kBool}, {"int32", at::kInt}};
        return kTypes.at(name);
    }
};

/// What one step of training leaves: the output, gradients by name, and the bytes that autograd held after the forward.
struct ImportedStep {
    at::Tensor output;
    double loss = 0;
    Bytes saved = 0;
    std::map<std::string, at::Tensor> gradients;
};

/// One forward and backward after the seed; the loss is that of the reference: the mean of the squared output, or the
/// output where it is a scalar.
inline ImportedStep stepOf(Model& model, const Inputs& inputs, std::int64_t seed)
{
    tensor::prepareSavedTensorHooks();
    tensor::SavedTensorCounter counter;
    std::vector<at::Tensor> known = model.parameters();
    for (const at::Tensor& buffer : model.buffers())
        known.push_back(buffer);
    for (const auto& [name, input] : inputs)
        known.push_back(input);
    model.zero_grad();
    torch::manual_seed(static_cast<std::uint64_t>(seed));
    ImportedStep step;
    at::Tensor loss;
    {
        const tensor::SavedTensorHookScope hooks(counter);
        at::Tensor output = model.forward(inputs);
        known.push_back(output);
        step.saved = counter.heldBytes(known);
        const at::ScalarType type = output.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        loss = output.dim() == 0 ? output : output.to(type).square().mean();
        step.output = output.detach();
    }
    loss.backward();
    step.loss = loss.item<double>();
    for (const auto& item : model.named_parameters())
        if (const at::Tensor& gradient = item.value().grad(); gradient.defined())
            step.gradients.emplace(item.key(), gradient.clone());
    return step;
}

} // namespace headroom::models
