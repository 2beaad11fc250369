// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/TrialSpeed.h"

#include "core/config/catalogue/Catalogue.h"

namespace headroom::experiments {
namespace {

using protocol::RepeatResult;

StepSamples samplesOf(const std::vector<RepeatResult>& repeats, std::vector<double> RepeatResult::* kind)
{
    StepSamples samples;
    for (const RepeatResult& repeat : repeats)
        if (repeat.outcome == Outcome::Completed && !(repeat.*kind).empty())
            samples.push_back(repeat.*kind);
    return samples;
}

std::optional<bool> isSteadyOver(const std::vector<RepeatResult>& repeats)
{
    std::optional<bool> all;
    for (const RepeatResult& repeat : repeats) {
        if (repeat.outcome != Outcome::Completed)
            continue;
        if (!repeat.isSteady.value_or(false))
            return repeat.isSteady;
        all = true;
    }
    return all;
}

std::vector<double> flat(const StepSamples& samples)
{
    std::vector<double> all;
    for (const auto& repeat : samples)
        all.insert(all.end(), repeat.begin(), repeat.end());
    return all;
}

std::optional<double> times(const std::optional<double>& rate, std::optional<double> amount)
{
    return rate && amount ? std::optional(*rate * *amount) : std::nullopt;
}

// A training step processes the batch once per micro-step.
double passesOf(const config::Workload& workload)
{
    return workload.step == config::StepKind::Inference ? 1 : workload.accumulate;
}

std::optional<double> samplesPerStep(const config::Workload& workload)
{
    const auto batch = workload.shapes.find("batch");
    return batch == workload.shapes.end() ? std::nullopt : std::optional(batch->second.real() * passesOf(workload));
}

double tokensPerStep(const config::Configuration& configuration)
{
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    return static_cast<double>(model.family->tokensPerStep(configuration.workload.shapes))
        * passesOf(configuration.workload);
}

std::optional<double> firstStepOf(const std::vector<RepeatResult>& repeats)
{
    for (const RepeatResult& repeat : repeats)
        if (repeat.firstStepSeconds)
            return repeat.firstStepSeconds;
    return std::nullopt;
}

} // namespace

std::optional<Interval> TrialSpeed::stepsPerSecond95() const
{
    if (!stepSeconds95 || !(stepSeconds95->low > 0))
        return std::nullopt;
    return Interval{1 / stepSeconds95->high, 1 / stepSeconds95->low};
}

TrialSpeed trialSpeed(const config::Trial& trial, const std::vector<RepeatResult>& repeats)
{
    const bool scatters = trial.device.computes(); // steps of a model all take the same time
    TrialSpeed speed;
    speed.samplesSeconds = samplesOf(repeats, &RepeatResult::stepSeconds);
    const std::vector<double> all = flat(speed.samplesSeconds);
    speed.stepSeconds = median(all);
    if (speed.stepSeconds && *speed.stepSeconds > 0)
        speed.stepsPerSecond = 1 / *speed.stepSeconds;
    speed.samplesPerSecond = times(speed.stepsPerSecond, samplesPerStep(trial.configuration.workload));
    speed.tokensPerSecond = times(speed.stepsPerSecond, tokensPerStep(trial.configuration));
    if (scatters) {
        speed.stepSecondsMad = medianAbsoluteDeviation(all);
        speed.stepSeconds95 = bootstrapMedian95(speed.samplesSeconds);
    }
    speed.firstStepSeconds = firstStepOf(repeats);
    speed.warmupSeconds = samplesOf(repeats, &RepeatResult::warmupSeconds);
    speed.isSteady = isSteadyOver(repeats);
    return speed;
}

} // namespace headroom::experiments
