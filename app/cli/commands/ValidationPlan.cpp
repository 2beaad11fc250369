// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/ValidationPlan.h"

#include "app/cli/run/RunPlan.h"
#include "app/cli/run/TrialFilter.h"
#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/spec/ModelFiles.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace headroom::cli {

using experiments::PlannedTrial;
using experiments::StepTimes;
using experiments::ValidationPair;

namespace {

constexpr int kStepsByDefault = 5;

std::vector<config::DrawnModel> modelsOfSize(const std::string& size)
{
    std::vector<config::DrawnModel> models;
    if (size != "middle")
        models = config::tinyDraw();
    if (size != "tiny")
        for (config::DrawnModel& model : config::middleDraw())
            models.push_back(std::move(model));
    return models;
}

// A model of the catalogue, or what a file describes: an exported model, a configuration file.
config::DrawnModel namedDraw(const std::string& name)
{
    if (!experiments::isModelFile(name))
        return config::drawnModel(name, "--model");
    const config::ModelDescriptor model = experiments::describedModel(name);
    return {model.name, model.fields.defaults(), model.shapes.defaults()};
}

std::vector<config::DrawnModel> modelsToDraw(const ValidateArguments& arguments)
{
    if (arguments.models.empty())
        return modelsOfSize(arguments.size.empty() ? "tiny" : arguments.size);
    if (!arguments.size.empty())
        throw UsageError("found --model beside it", "--size", "one of the two: a model has its size");
    std::vector<config::DrawnModel> models;
    for (const std::string& name : arguments.models)
        models.push_back(namedDraw(name));
    return models;
}

config::DeviceSpec deviceToMeasure(const std::string& notation)
{
    const config::DeviceSpec device = config::parseDevice(notation, "--device");
    if (device.isSimulated())
        throw UsageError("found " + notation + ", and what is compared with has to be measured", "--device",
            "cpu, cuda:N, rehearsal:NAME; the simulated device is --against");
    return device;
}

// A card's caching allocator says nothing of a processor's memory, and the other way round.
void requireSameKind(const config::DeviceSpec& measured, const simulator::DeviceProfile& predicting)
{
    const bool isCard = measured.runsCuda();
    const bool predictsCards = predicting.kind == simulator::AllocatorKind::Caching;
    if (isCard == predictsCards)
        return;
    throw UsageError(fmt::format("found sim:{}, which predicts {}, beside --device {}", predicting.name,
                         predictsCards ? "a card" : "a processor", measured.name()),
        "--against",
        isCard ? "a simulated card (headroom devices), or a file that `headroom calibrate --device cuda:N` wrote"
               : "sim:cpu, or a file that `headroom calibrate --device cpu` wrote");
}

config::DeviceSpec deviceToPredict(const std::string& notation, const config::DeviceSpec& measured)
{
    const config::DeviceSpec device = config::parseDevice(notation, "--against");
    if (!device.hasProfile() || device == measured)
        throw UsageError("found " + notation + ", which does not predict", "--against",
            "sim:NAME, sim:NAME@RUNTIME, rehearsal:NAME beside cuda:N");
    const simulator::ProfileCatalogue profiles(config::resourceDirectory());
    requireSameKind(measured, profiles.parseSimulatedDevice(device.notation(), "--against").device);
    return device;
}

// A rehearsal's clock is the cost model's, as the simulation's is: there is nothing to compare.
StepTimes stepTimesOf(const ValidateArguments& arguments, const config::DeviceSpec& measured)
{
    if (measured.isRehearsed() && arguments.steps)
        throw UsageError("found " + measured.notation() + ", whose step times are modelled", "--steps",
            "cpu, cuda:N; without it, memory is compared");
    if (arguments.jobs > 1 && arguments.steps)
        throw UsageError(
            fmt::format("found --jobs {} beside it, and trials that run side by side are not timed", arguments.jobs),
            "--steps", "--jobs 1");
    return arguments.jobs > 1 || measured.isRehearsed() ? StepTimes::NotMeasured : StepTimes::Measured;
}

std::vector<ValidationPair> drawnPairs(const ValidateArguments& arguments)
{
    const int steps = arguments.steps.value_or(kStepsByDefault);
    const config::DeviceSpec measured = deviceToMeasure(arguments.device);
    const experiments::ValidationDraw draw{.device = measured,
        .against = deviceToPredict(arguments.against, measured),
        .trials = static_cast<std::size_t>(arguments.trials),
        .seed = arguments.seed,
        .models = modelsToDraw(arguments),
        .protocol = experiments::validationProtocol(stepTimesOf(arguments, measured), steps)};
    if (arguments.filter.empty())
        return drawPairs(draw);
    const TrialFilter filter(arguments.filter, "--filter");
    return drawPairs(draw, [&](std::vector<PlannedTrial> trials) { return filter.kept(std::move(trials)); });
}

std::optional<std::chrono::duration<double>> timeoutOfSide(const std::optional<double>& seconds)
{
    if (!seconds)
        return std::nullopt;
    if (!(*seconds > 0) || !std::isfinite(*seconds))
        throw UsageError("found " + config::toToml(*seconds), "--timeout", "seconds greater than 0");
    return std::chrono::duration<double>(*seconds);
}

experiments::ValidationDocument emptyDocument(
    const ValidateArguments& arguments, const std::vector<ValidationPair>& pairs)
{
    experiments::ValidationDocument document;
    document.device = pairs.front().measured.trial.device.notation();
    document.against = pairs.front().predicted.trial.device.notation();
    document.date = experiments::today();
    for (const config::DrawnModel& model : modelsToDraw(arguments))
        document.models.push_back(model.name);
    document.filter = arguments.filter;
    document.asked = arguments.trials;
    document.seed = arguments.seed;
    document.jobs = arguments.jobs;
    document.environment = experiments::captureEnvironment();
    document.deviceTitle = document.environment.cpuModel;
    return document;
}

} // namespace

ValidationPlan planOf(const ValidateArguments& arguments)
{
    ValidationPlan plan;
    plan.pairs = drawnPairs(arguments);
    plan.options.worker = config::workerProgram();
    plan.options.jobs = arguments.jobs;
    plan.options.times = stepTimesOf(arguments, plan.pairs.front().measured.trial.device);
    plan.options.timeout = timeoutOfSide(arguments.timeoutSeconds);
    plan.document = emptyDocument(arguments, plan.pairs);
    plan.predicting = simulator::ProfileCatalogue(config::resourceDirectory())
                          .simulatedDevice(plan.pairs.front().predicted.trial)
                          .device;
    return plan;
}

Report drawReport(const ValidationPlan& plan)
{
    RunPlan listed;
    listed.spec.name = "validation";
    for (const ValidationPair& pair : plan.pairs)
        listed.trials.push_back(pair.measured);
    listed.unshardedTrials = listed.trials.size();
    return planReport(listed);
}

} // namespace headroom::cli
