// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Configuration.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/LossChunks.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ModelWorkload.h"
#include "core/config/catalogue/SettingSuggestion.h"

#include <algorithm>
#include <numeric>

namespace headroom::config {
namespace {

constexpr const char* kNoModel = "none";
constexpr const char* kAutocast = "workload.autocast";

std::vector<std::string> residentModels()
{
    std::vector<std::string> names = modelNames();
    names.insert(names.begin(), kNoModel);
    return names;
}

// Options of a lever that is off do not apply: they become null, so that equal behaviour has equal ids.
ValueMap withoutValues(const FieldSet& options)
{
    ValueMap values;
    for (const Field& option : options.all())
        values.emplace(option.name, Value());
    return values;
}

// The loss compares each token with the next one.
bool hasNoNextToken(const Workload& workload)
{
    const auto length = workload.shapes.find("sequence_length");
    return workload.loss == Loss::CrossEntropy && length != workload.shapes.end() && length->second == Value(1);
}

// The pieces of a sequence are for cross entropy, and each has a token.
std::optional<Problem> chunksProblem(const Workload& workload)
{
    const auto chunks = workload.shapes.find(kLossChunks);
    if (chunks == workload.shapes.end() || chunks->second == Value(1))
        return std::nullopt;
    const std::string path = std::string("workload.") + kLossChunks;
    const std::string found = path + " = " + toLabel(chunks->second);
    const Value& length = workload.shapes.at("sequence_length");
    if (workload.loss != Loss::CrossEntropy)
        return Problem(
            found + " cuts sequences into pieces for cross_entropy, and the loss is " + toText(workload.loss), path,
            "1, or loss = cross_entropy");
    if (chunks->second.integer() > length.integer())
        return Problem(
            found + " are more pieces than a sequence has tokens (sequence_length = " + toLabel(length) + ")", path,
            "1 to " + toLabel(length));
    return std::nullopt;
}

// A fused loss has no logits, so there is nothing that could be held or handed on.
std::optional<Problem> fusedProblem(const Workload& workload)
{
    const auto fused = workload.shapes.find(kFusedLoss);
    if (fused == workload.shapes.end() || !fused->second.boolean())
        return std::nullopt;
    const std::string path = std::string("workload.") + kFusedLoss;
    if (workload.loss != Loss::CrossEntropy)
        return Problem(
            path + " = true fuses cross_entropy with the last product, and the loss is " + toText(workload.loss), path,
            "false, or loss = cross_entropy");
    if (workload.output == ModelOutput::Held)
        return Problem(path + " = true keeps no output that could be held", "workload.output", "released");
    if (workload.outputDtype != OutputDtype::Same)
        return Problem(path + " = true hands no output on", "workload.output_dtype", "same");
    return std::nullopt;
}

// What is computed in float64 is not rounded.
std::optional<Problem> outputDtypeProblem(const Workload& workload)
{
    if (workload.outputDtype == OutputDtype::Same || workload.dtype != Dtype::Float64)
        return std::nullopt;
    return Problem("workload.output_dtype = float32 would round what a model in float64 computes",
        "workload.output_dtype", "same");
}

std::vector<Problem> lossProblems(const ModelFamily& family, const Workload& workload)
{
    if (workload.step == StepKind::Inference)
        return {};
    if (auto problem = chunksProblem(workload))
        return {*problem};
    if (auto problem = fusedProblem(workload))
        return {*problem};
    if (hasNoNextToken(workload))
        return {Problem("workload.loss = cross_entropy compares each token with the next, and sequence_length = 1 has "
                        "none",
            "workload.loss")};
    if (std::find(family.losses.begin(), family.losses.end(), workload.loss) != family.losses.end())
        return {};
    std::vector<std::string> valid;
    for (const Loss loss : family.losses)
        valid.push_back(toText(loss));
    return {Problem("workload.loss = " + toText(workload.loss) + " has no meaning for the output of " + family.name,
        "workload.loss", joined(valid))};
}

Dtype trainedDtypeOf(const Configuration& configuration)
{
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        if (const auto dtype = technique.trainedDtype
                ? technique.trainedDtype(configuration.techniques.at(technique.key))
                : std::nullopt)
            return *dtype;
    return configuration.workload.dtype;
}

// torch/amp/grad_scaler.py does not unscale float16 gradients, and its CUDA kernel does not unscale bfloat16 ones.
std::vector<Problem> lossScaleProblems(const Configuration& configuration)
{
    const Workload& workload = configuration.workload;
    if (workload.autocast != "float16" || workload.step == StepKind::Inference)
        return {};
    std::vector<Problem> problems;
    if (const Dtype trained = trainedDtypeOf(configuration); bytesPerElement(trained) < bytesPerElement(Dtype::Float32))
        problems.emplace_back(
            "workload.autocast = float16 scales the loss, and gradients in " + toText(trained) + " cannot be unscaled",
            kAutocast, "dtype = float32, autocast = bfloat16, or trainable = lora:R with trainable.dtype = float32");
    if (workload.gradients == GradientClearing::Keep)
        problems.emplace_back(
            "workload.autocast = float16 scales the loss and unscales the gradients at each update, and "
            "gradients = keep would unscale those of the last update again",
            kAutocast, "gradients = set_to_none or zero, or autocast = bfloat16");
    return problems;
}

} // namespace

const FieldSet& protocolFields()
{
    static const FieldSet fields{{
        {.name = "warmup_steps",
            .type = FieldType::Integer,
            .defaultValue = 2,
            .help = "full steps before the first timed one, at least",
            .minimum = 0,
            .maximum = 1000000},
        {.name = "steps",
            .type = FieldType::Integer,
            .defaultValue = 5,
            .help = "timed steps",
            .minimum = 1,
            .maximum = 1000000},
        {.name = "repeats",
            .type = FieldType::Integer,
            .defaultValue = 1,
            .help = "fresh processes per trial",
            .minimum = 1,
            .maximum = 1000},
        {.name = "max_warmup_steps",
            .type = FieldType::Integer,
            .defaultValue = 1000,
            .help = "where warm-up ends that has not become steady; up to warmup_steps: those, without a test",
            .minimum = 0,
            .maximum = 1000000},
        {.name = "max_warmup_seconds",
            .type = FieldType::Real,
            .defaultValue = 10.0,
            .help = "the same in seconds; warmup_steps are run all the same",
            .minimum = 0,
            .maximum = 86400},
        {.name = "steady_within",
            .type = FieldType::Real,
            .defaultValue = 0.05,
            .help = "relative change of the step time over a window of steps that still counts as steady",
            .minimum = 0.001,
            .maximum = 1},
        {.name = "plain_warmup",
            .type = FieldType::Boolean,
            .defaultValue = false,
            .help =
                "run warmup_steps without techniques first and empty the allocator's cache, as published comparisons "
                "do that sweep techniques in one process"},
        {.name = "keep_baseline_output",
            .type = FieldType::Boolean,
            .defaultValue = false,
            .help = "run the model without techniques first and keep its output, as published comparisons do; counted "
                    "as harness"},
        {.name = "keep_baseline_model",
            .type = FieldType::Boolean,
            .defaultValue = false,
            .help = "keep a second model with weights of its own resident, as published comparisons do; counted as "
                    "harness"},
        {.name = "resident_model",
            .type = FieldType::Choice,
            .defaultValue = kNoModel,
            .help = "keep this model's weights on the device beside the trial's own, in the workload's dtype and never "
                    "run, as a pipeline keeps its text encoder; counted as harness",
            .choices = residentModels()},
    }};
    return fields;
}

MeasurementProtocol makeProtocol(const ValueMap& values, const std::string& where)
{
    const ValueMap complete = protocolFields().complete(values, where);
    MeasurementProtocol protocol;
    protocol.warmupSteps = static_cast<int>(complete.at("warmup_steps").integer());
    protocol.steps = static_cast<int>(complete.at("steps").integer());
    protocol.repeats = static_cast<int>(complete.at("repeats").integer());
    protocol.maxWarmupSteps = static_cast<int>(complete.at("max_warmup_steps").integer());
    protocol.maxWarmupSeconds = complete.at("max_warmup_seconds").real();
    protocol.steadyWithin = complete.at("steady_within").real();
    protocol.plainWarmup = complete.at("plain_warmup").boolean();
    protocol.keepBaselineOutput = complete.at("keep_baseline_output").boolean();
    protocol.keepBaselineModel = complete.at("keep_baseline_model").boolean();
    if (const std::string& resident = complete.at("resident_model").text(); resident != kNoModel)
        protocol.residentModel = resident;
    return protocol;
}

ValueMap toValues(const MeasurementProtocol& protocol)
{
    return {{"warmup_steps", protocol.warmupSteps}, {"steps", protocol.steps}, {"repeats", protocol.repeats},
        {"max_warmup_steps", protocol.maxWarmupSteps}, {"max_warmup_seconds", protocol.maxWarmupSeconds},
        {"steady_within", protocol.steadyWithin}, {"plain_warmup", protocol.plainWarmup},
        {"keep_baseline_output", protocol.keepBaselineOutput}, {"keep_baseline_model", protocol.keepBaselineModel},
        {"resident_model", protocol.residentModel.empty() ? std::string(kNoModel) : protocol.residentModel}};
}

TechniqueSetting makeSetting(const TechniqueDescriptor& technique, const std::string& notation, const ValueMap& options,
    const std::string& where)
{
    TechniqueSetting setting{canonicalNotation(technique, notation, where), technique.options.complete(options, where)};
    if (setting.notation == technique.off && technique.offOptions == OffOptions::Dropped)
        setting.options = withoutValues(technique.options);
    return setting;
}

Configuration defaultConfiguration(const std::string& model, const std::string& where)
{
    const ModelDescriptor descriptor = findModel(model, where);
    Configuration configuration;
    configuration.model = descriptor.name;
    configuration.modelFields = descriptor.fields.defaults();
    configuration.workload = workloadOf(descriptor, {}, where);
    if (descriptor.family->hasFixedDtype)
        configuration.workload.dtype = descriptor.publishedDtype;
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        configuration.techniques[technique.key] = makeSetting(technique, technique.off, {}, where);
    return configuration;
}

Configuration baselineOf(const Configuration& configuration)
{
    Configuration baseline = configuration;
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        if (technique.role == TechniqueRole::Lever)
            baseline.techniques[technique.key] = makeSetting(technique, technique.off, {}, technique.key);
    return baseline;
}

bool isBaseline(const Configuration& configuration)
{
    return baselineOf(configuration) == configuration;
}

StepPeriod stepPeriodOf(const Configuration& configuration)
{
    StepPeriod longest;
    std::int64_t steps = 1;
    for (const TechniqueDescriptor& technique : techniqueCatalogue()) {
        if (!technique.period)
            continue;
        const StepPeriod period = technique.period(configuration.techniques.at(technique.key));
        steps = std::lcm(steps, period.steps);
        if (period.steps > longest.steps)
            longest = period;
    }
    longest.steps = steps;
    return longest;
}

namespace {

// Problems of a technique, at the setting of its notation; the first one carries the repairs.
std::vector<Problem> techniqueProblems(const TechniqueDescriptor& technique, const ModelContext& context)
{
    const TechniqueSetting& setting = context.techniques.at(technique.key);
    std::vector<Problem> problems;
    for (const std::string& reason : technique.problems(setting, context))
        problems.emplace_back(reason, "techniques." + technique.key);
    if (!problems.empty() && technique.repairs)
        problems.front().repairs = technique.repairs(setting, context);
    return problems;
}

std::vector<Problem> problemsWith(const Configuration& configuration, ShapesAre shapes)
{
    const ModelFamily& family = *findModel(configuration.model, "model.name").family;
    if (family.isGone)
        return {};
    std::vector<Problem> problems = shapes == ShapesAre::Known
        ? family.problems(configuration.modelFields, configuration.workload.shapes)
        : family.fieldProblems(configuration.modelFields);
    const auto add = [&](const std::vector<Problem>& found) {
        problems.insert(problems.end(), found.begin(), found.end());
    };
    if (family.workloadProblems)
        add(family.workloadProblems(configuration.workload));
    add(lossProblems(family, configuration.workload));
    if (const auto problem = outputDtypeProblem(configuration.workload))
        problems.push_back(*problem);
    add(lossScaleProblems(configuration));
    const ModelContext context{
        family, configuration.modelFields, configuration.workload, configuration.techniques, shapes};
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        add(techniqueProblems(technique, context));
    return problems;
}

} // namespace

std::vector<Problem> problemsOf(const Configuration& configuration)
{
    return problemsWith(configuration, ShapesAre::Known);
}

std::vector<Problem> problemsOf(const Trial& trial)
{
    std::vector<Problem> problems = problemsOf(trial.configuration);
    const ModelFamily& family = *findModel(trial.configuration.model, "model.name").family;
    if (trial.device.isSimulated() && family.simulationProblems && !family.isGone)
        for (const Problem& problem : family.simulationProblems(trial.configuration.workload.step))
            problems.push_back(problem);
    return problems;
}

std::vector<std::string> conflicts(const Configuration& configuration)
{
    return sentencesOf(problemsOf(configuration));
}

std::vector<std::string> conflictsOfAnyShapes(const Configuration& configuration)
{
    return sentencesOf(problemsWith(configuration, ShapesAre::Unknown));
}

bool isChosen(const TechniqueDescriptor& technique, const TechniqueSetting& setting)
{
    if (setting.notation != technique.off)
        return true;
    return technique.offOptions == OffOptions::Kept && !technique.options.differing(setting.options).empty();
}

std::string settingLabel(const TechniqueDescriptor& technique, const TechniqueSetting& setting)
{
    std::string text = technique.key + " " + setting.notation;
    std::string options;
    for (const auto& [name, value] : technique.options.differing(setting.options))
        if (!value.isNull()) // an option of a technique that is off
            options += (options.empty() ? "" : ", ") + name + " " + toLabel(value);
    return options.empty() ? text : text + " (" + options + ")";
}

std::string techniqueLabel(const Configuration& configuration)
{
    std::string label;
    for (const TechniqueDescriptor& technique : techniqueCatalogue()) {
        const TechniqueSetting& setting = configuration.techniques.at(technique.key);
        if (isChosen(technique, setting))
            label += (label.empty() ? "" : " | ") + settingLabel(technique, setting);
    }
    return label.empty() ? "baseline" : label;
}

} // namespace headroom::config
