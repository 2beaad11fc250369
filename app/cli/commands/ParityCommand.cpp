// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/ParityReport.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "experiments/run/WorkerSession.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/spec/SpecOverrides.h"
#include "experiments/sweep/TrialBuilder.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::SpecOverrides;
using protocol::ParityAnswer;

namespace {

constexpr const char* kParityExamples =
    R"(Files are safetensors. Inputs have the names of upstream's forward arguments; the expected file has "output" and,
to compare gradients of the mean of the squared output, "grad.PARAMETER" and "grad_input.INPUT".
Weights may also be a model folder, an index of shards, or "fill": the rule of the reference values.

Examples:
  headroom parity --model ltx-video-tiny --weights w.safetensors --inputs i.safetensors --expect e.safetensors
  headroom parity --model my-model.pt2 --inputs i.safetensors --expect e.safetensors
  headroom parity --model ./transformer/config.json --weights ./transformer --inputs i.safetensors \
      --expect e.safetensors --dtype bfloat16 --tolerance 1e-2 --checkpointing all --split-ffn 2

Exit codes: 0 equal within the tolerance, 1 not equal or weights that do not fit, 2 bad usage, 3 the comparison could not
be carried out, 5 a file cannot be read.)";

constexpr int kDifferent = 1;

// Settings that the expected tensors determine, or that have no meaning for a comparison of one step.
constexpr std::array kDecided{"workload.step", "workload.loss", "workload.gradients", "workload.output",
    "workload.accumulate", "workload.clip_grad_norm", "device.name", "device.memory_limit_bytes"};

struct ParityArguments {
    std::string model;
    std::string device;
    std::map<std::string, std::string> techniques;
    std::vector<std::string> assignments;
    std::string weights;
    std::string inputs;
    std::string expected;
    std::string dtype;
    std::string format = "table";
    double tolerance = protocol::ParityFiles{}.tolerance;
};

std::string parityFlagOf(std::string key)
{
    std::replace(key.begin(), key.end(), '_', '-');
    return "--" + key;
}

void refuseDecided(const SpecOverrides& overrides)
{
    for (const experiments::SpecSetting& setting : overrides.settings())
        if (setting.where.starts_with("--set ")
            && (setting.path.starts_with("protocol.") || std::ranges::find(kDecided, setting.path) != kDecided.end()))
            throw UsageError("has no meaning for a comparison", setting.where,
                "fields of the model, options of techniques, workload.dtype, workload.autocast, shapes");
}

SpecOverrides parityOverrides(const ParityArguments& arguments)
{
    SpecOverrides overrides;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        if (!technique.referenceNotation.empty())
            overrides.setTechnique(technique.key, technique.referenceNotation);
    overrides.setModels(arguments.model);
    if (!arguments.device.empty())
        overrides.setDevices(arguments.device);
    for (const auto& [key, notation] : arguments.techniques)
        if (!notation.empty())
            overrides.setTechnique(key, notation);
    for (const std::string& assignment : arguments.assignments)
        overrides.assign(assignment);
    refuseDecided(overrides);
    // Without this, a technique could ask for training; the expected tensors determine what is computed.
    overrides.set("workload.step", "inference", "headroom parity");
    if (!arguments.dtype.empty())
        overrides.set("workload.dtype", arguments.dtype, "--dtype");
    if (!arguments.weights.empty())
        overrides.set("model.weights", config::toToml(config::Value(arguments.weights)), "--weights");
    return overrides;
}

// Turns off the techniques that a comparison enables by default if the model does not support them.
void leaveOutIdle(config::Configuration& configuration)
{
    const config::ModelFamily& family = *config::findModel(configuration.model, "--model").family;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        config::TechniqueSetting& setting = configuration.techniques.at(technique.key);
        const config::ModelContext context{
            family, configuration.modelFields, configuration.workload, configuration.techniques};
        if (!technique.referenceNotation.empty() && !technique.problems(setting, context).empty())
            setting = config::makeSetting(technique, technique.off, {}, technique.key);
    }
}

// An exported model may have its weights with it.
void requireWeights(const ParityArguments& arguments, const config::Configuration& configuration)
{
    const auto archive = config::importedArchiveOf(configuration.model);
    const auto hasValues = [](const archive::StoredTensor& stored) {
        return stored.kind == archive::StoredKind::Parameter && !stored.entry.empty();
    };
    if (!arguments.weights.empty() || (archive && std::ranges::any_of(archive->tensors, hasValues)))
        return;
    throw UsageError(archive ? "the archive was exported without values (on meta)" : "is not given", "--weights",
        "safetensors file, index, model folder, \"fill\"; an exported model with its weights needs none");
}

// Builds the one configuration; refuses a sweep. Only the worker, which reads the expected tensors, can tell whether
// techniques work together.
config::Trial parityTrial(const ParityArguments& arguments)
{
    const experiments::ExperimentSpec spec = experiments::loadOverrides(parityOverrides(arguments));
    const auto axes = experiments::sweepAxes(spec.parts.front());
    if (spec.parts.size() > 1)
        throw UsageError("found several models", "--model", "one");
    for (const experiments::SweepAxis& axis : axes)
        if (axis.values.size() > 1)
            throw UsageError("found several values", axis.values.front().where, "one");
    config::Trial trial = experiments::buildTrial(experiments::pointAt(axes, 0));
    requireWeights(arguments, trial.configuration);
    leaveOutIdle(trial.configuration);
    return trial;
}

[[noreturn]] void failWithAnswer(const ParityAnswer& answer)
{
    if (answer.problem == ParityAnswer::Problem::Usage)
        throw UsageError(answer.reason);
    if (answer.problem == ParityAnswer::Problem::File)
        throw FileError(answer.reason);
    throw TrialError(answer.reason);
}

ParityAnswer ask(const config::Trial& trial, const protocol::ParityFiles& files)
{
    experiments::WorkerSession session(config::workerProgram());
    const ParityAnswer answer = session.compare(
        {.kind = protocol::RequestKind::Parity, .id = 1, .trial = trial, .spoolPath = {}, .parity = files}, {});
    session.finish();
    return answer;
}

int compare(const ParityArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    if (!std::isfinite(arguments.tolerance) || arguments.tolerance < 0)
        throw UsageError("found " + config::toLabel(arguments.tolerance), "--tolerance", "a number of at least 0");
    const config::Trial trial = parityTrial(arguments);
    if (!trial.device.computes())
        throw UsageError(trial.device.name() + " computes nothing", "--device", "cpu, cuda:N");
    const ParityAnswer answer = ask(trial, {arguments.inputs, arguments.expected, arguments.tolerance});
    if (!answer.result)
        failWithAnswer(answer);
    print(parityReport(trial, *answer.result, arguments.tolerance), format, std::cout);
    for (const std::string& objection : parityObjections(*answer.result, arguments.tolerance))
        Console().line("headroom: no parity: " + objection);
    return answer.result->passes() ? 0 : kDifferent;
}

void addFileOptions(CLI::App& command, ParityArguments& arguments)
{
    const auto file = [&](const char* flag, std::string& target, const char* type, const char* help) {
        return command.add_option(flag, target, help)->type_name(type)->check(notEmpty);
    };
    file("--weights", arguments.weights, "FILE|FOLDER|fill",
        "the model's weights by upstream's names; those of an exported model (FILE.pt2) where left out");
    file("--inputs", arguments.inputs, "FILE", "the forward's arguments")->required();
    file("--expect", arguments.expected, "FILE", "what upstream computed")->required();
}

void addParityOptions(CLI::App& command, ParityArguments& arguments)
{
    const auto text = [&](const std::string& flag, std::string& target, const char* type, const std::string& help) {
        return command.add_option(flag, target, help)->type_name(type)->check(notEmpty);
    };
    text("--model", arguments.model, "M",
        "a model's name, upstream's configuration file or an exported model (FILE.pt2)")
        ->required();
    addFileOptions(command, arguments);
    text("--dtype", arguments.dtype, "T", "float32 (default), float64, bfloat16 or float16");
    command.add_option("--tolerance", arguments.tolerance, "largest relative L2 of a tensor (default 1e-5)")
        ->type_name("X");
    text("--device", arguments.device, "D", "cpu (default) or cuda:N");
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        text(parityFlagOf(technique.key), arguments.techniques[technique.key], "NOTATION",
            technique.title + ": " + technique.validForms());
    command.add_option("--set", arguments.assignments, "a field of the model, an option of a technique")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false)
        ->check(noOption);
    addFormatOption(command, arguments.format);
}

} // namespace

void addParityCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command =
        app.add_subcommand("parity", "Compare a model's output and gradients with those that upstream computed");
    const auto arguments = std::make_shared<ParityArguments>();
    addParityOptions(*command, *arguments);
    command->footer(kParityExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return compare(*arguments); }; });
}

} // namespace headroom::cli
