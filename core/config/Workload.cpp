// SPDX-License-Identifier: Apache-2.0
#include "core/config/Workload.h"

#include "core/base/Error.h"

#include <algorithm>

namespace headroom::config {
namespace {

const std::vector<std::string> kSteps{"inference", "forward_backward", "train"};
const std::vector<std::string> kDtypes{"float32", "bfloat16", "float16", "float64"};
const std::vector<std::string> kLosses{"mean", "mse", "mean_square", "cross_entropy", "model"};
const std::vector<std::string> kGradients{"set_to_none", "zero", "keep"};
const std::vector<std::string> kOutputs{"released", "held"};
const std::vector<std::string> kOutputDtypes{"same", "float32"};

template <typename Enum> Enum fromChoice(const std::vector<std::string>& choices, const Value& value)
{
    return static_cast<Enum>(std::find(choices.begin(), choices.end(), value.text()) - choices.begin());
}

template <typename Enum> const std::string& choiceText(const std::vector<std::string>& choices, Enum value)
{
    return choices.at(static_cast<std::size_t>(value));
}

// The field only exists with a backward pass: giving any value asks for one.
bool isGivenAtAll(const Value&)
{
    return true;
}

} // namespace

const FieldSet& workloadFields()
{
    static const FieldSet fields{{
        {.name = "step",
            .type = FieldType::Choice,
            .defaultValue = "inference",
            .help = "what one step does: a forward; forward and backward; or train, with a step of the optimizer after "
                    "them. Where left out: train if a setting is given that only means something in training",
            .choices = kSteps},
        {.name = "dtype",
            .type = FieldType::Choice,
            .defaultValue = "float32",
            .help = "number format of weights and activations. Where left out beside a step that follows: that of the "
                    "model's published weights",
            .choices = kDtypes},
        {.name = "loss",
            .type = FieldType::Choice,
            .defaultValue = "mean",
            .help = "what the backward pass starts from; model: the loss that an exported model returns, where it does",
            .choices = kLosses,
            .asksForTraining = isGivenAtAll},
        {.name = "gradients",
            .type = FieldType::Choice,
            .defaultValue = "set_to_none",
            .help = "how gradients are cleared between steps; keep: never",
            .choices = kGradients,
            .asksForTraining = isGivenAtAll},
        {.name = "output",
            .type = FieldType::Choice,
            .defaultValue = "released",
            .help = "how long a step that trains has the model's output: released when the loss is there, as trainers "
                    "do; or held to the end of the step, as a script does that keeps it in a variable",
            .choices = kOutputs,
            .asksForTraining = isGivenAtAll},
        {.name = "output_dtype",
            .type = FieldType::Choice,
            .defaultValue = "same",
            .help = "number format in which the model hands its output on: as it is computed, or raised to float32, as "
                    "torchtune's models, Lightning Fabric's true half precision and accelerate's mixed precision do",
            .choices = kOutputDtypes},
        {.name = "accumulate",
            .type = FieldType::Integer,
            .defaultValue = 1,
            .help = "micro-steps per optimizer update",
            .minimum = 1,
            .maximum = 1000000,
            .asksForTraining = [](const Value& steps) { return steps != Value(1); }},
        {.name = "clip_grad_norm",
            .type = FieldType::Real,
            .defaultValue = 0.0,
            .help = "largest gradient norm; 0 is off",
            .minimum = 0,
            .asksForTraining = [](const Value& norm) { return norm.real() != 0; }},
        {.name = "autocast",
            .type = FieldType::Choice,
            .defaultValue = "off",
            .help = "number format in which matrix products and attention run while weights, gradients and optimizer "
                    "state keep theirs (mixed precision, by the op lists of LibTorch's autocast for the device); "
                    "float16 also scales the loss",
            .choices = {"off", "bfloat16", "float16"}},
        {.name = "seed",
            .type = FieldType::Integer,
            .defaultValue = 0,
            .help = "seed of weights and inputs",
            .minimum = 0},
    }};
    return fields;
}

Workload makeWorkload(const ValueMap& values, const FieldSet& shapes, const std::string& where)
{
    std::vector<Field> all = workloadFields().all();
    all.insert(all.end(), shapes.all().begin(), shapes.all().end());
    const ValueMap complete = FieldSet(all).complete(values, where);
    Workload workload;
    workload.step = fromChoice<StepKind>(kSteps, complete.at("step"));
    workload.dtype = fromChoice<Dtype>(kDtypes, complete.at("dtype"));
    workload.loss = fromChoice<Loss>(kLosses, complete.at("loss"));
    workload.gradients = fromChoice<GradientClearing>(kGradients, complete.at("gradients"));
    workload.output = fromChoice<ModelOutput>(kOutputs, complete.at("output"));
    workload.outputDtype = fromChoice<OutputDtype>(kOutputDtypes, complete.at("output_dtype"));
    workload.accumulate = static_cast<int>(complete.at("accumulate").integer());
    workload.clipGradNorm = complete.at("clip_grad_norm").real();
    workload.autocast = complete.at("autocast").text();
    workload.seed = complete.at("seed").integer();
    for (const Field& field : shapes.all())
        workload.shapes.emplace(field.name, complete.at(field.name));
    return workload;
}

ValueMap toValues(const Workload& workload)
{
    ValueMap values = workload.shapes;
    values["step"] = toText(workload.step);
    values["dtype"] = toText(workload.dtype);
    values["loss"] = toText(workload.loss);
    values["gradients"] = choiceText(kGradients, workload.gradients);
    values["output"] = choiceText(kOutputs, workload.output);
    values["output_dtype"] = choiceText(kOutputDtypes, workload.outputDtype);
    values["accumulate"] = workload.accumulate;
    values["clip_grad_norm"] = workload.clipGradNorm;
    values["autocast"] = workload.autocast;
    values["seed"] = workload.seed;
    return values;
}

std::string toText(StepKind step)
{
    return choiceText(kSteps, step);
}

std::string toText(Dtype dtype)
{
    return choiceText(kDtypes, dtype);
}

std::string toText(Loss loss)
{
    return choiceText(kLosses, loss);
}

int bytesPerElement(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Float64:
        return 8;
    case Dtype::Float32:
        return 4;
    case Dtype::BFloat16:
    case Dtype::Float16:
        break;
    }
    return 2;
}

} // namespace headroom::config
