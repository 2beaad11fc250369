// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/ValidationPlan.h"

#include "app/cli/run/RunPlan.h"
#include "app/cli/run/TrialFilter.h"
#include "core/base/Error.h"
#include "core/config/Installation.h"
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

std::vector<config::DrawnModel> modelsToDraw(const ValidateArguments& arguments)
{
    if (arguments.models.empty())
        return modelsOfSize(arguments.size.empty() ? "tiny" : arguments.size);
    if (!arguments.size.empty())
        throw UsageError("found --model beside it", "--size", "one of the two: a model has its size");
    std::vector<config::DrawnModel> models;
    for (const std::string& name : arguments.models)
        models.push_back(config::drawnModel(name, "--model"));
    return models;
}

config::DeviceSpec deviceToMeasure(const std::string& notation)
{
    const config::DeviceSpec device = config::parseDevice(notation, "--device");
    if (device.isSimulated())
        throw UsageError("found " + notation + ", and what is compared with has to be measured", "--device",
            "cpu, cuda:N; the simulated device is --against");
    return device;
}

config::DeviceSpec deviceToPredict(const std::string& notation)
{
    const config::DeviceSpec device = config::parseDevice(notation, "--against");
    if (!device.isSimulated())
        throw UsageError("found " + notation + ", which does not predict", "--against", "sim:NAME, sim:NAME@RUNTIME");
    simulator::ProfileCatalogue(config::resourceDirectory()).parseSimulatedDevice(device.notation(), "--against");
    return device;
}

StepTimes stepTimesOf(const ValidateArguments& arguments)
{
    if (arguments.jobs > 1 && arguments.steps)
        throw UsageError(
            fmt::format("found --jobs {} beside it, and trials that run side by side are not timed", arguments.jobs),
            "--steps", "--jobs 1");
    return arguments.jobs > 1 ? StepTimes::NotMeasured : StepTimes::Measured;
}

std::vector<ValidationPair> drawnPairs(const ValidateArguments& arguments)
{
    const int steps = arguments.steps.value_or(kStepsByDefault);
    const experiments::ValidationDraw draw{.device = deviceToMeasure(arguments.device),
        .against = deviceToPredict(arguments.against),
        .trials = static_cast<std::size_t>(arguments.trials),
        .seed = arguments.seed,
        .models = modelsToDraw(arguments),
        .protocol = experiments::validationProtocol(stepTimesOf(arguments), steps)};
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
    plan.options.times = stepTimesOf(arguments);
    plan.options.timeout = timeoutOfSide(arguments.timeoutSeconds);
    plan.document = emptyDocument(arguments, plan.pairs);
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
