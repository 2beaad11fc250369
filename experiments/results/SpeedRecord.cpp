// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/SpeedRecord.h"

#include "core/base/Statistics.h"
#include "core/config/catalogue/Catalogue.h"

namespace headroom::experiments {
namespace {

using protocol::RepeatResult;
using Samples = std::vector<std::vector<double>>;

Samples samplesOf(const std::vector<RepeatResult>& repeats, std::vector<double> RepeatResult::* kind)
{
    Samples samples;
    for (const RepeatResult& repeat : repeats)
        if (repeat.outcome == protocol::Outcome::Completed && !(repeat.*kind).empty())
            samples.push_back(repeat.*kind);
    return samples;
}

OrderedJson samplesRecord(const Samples& samples)
{
    return samples.empty() ? OrderedJson(nullptr) : OrderedJson(samples);
}

// False as soon as one repeat is not, true when all are, else not known.
std::optional<bool> isSteadyOver(const std::vector<RepeatResult>& repeats)
{
    std::optional<bool> all;
    for (const RepeatResult& repeat : repeats) {
        if (repeat.outcome != protocol::Outcome::Completed)
            continue;
        if (!repeat.isSteady.value_or(false))
            return repeat.isSteady;
        all = true;
    }
    return all;
}

std::vector<double> flat(const Samples& samples)
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

// A training step works through the batch once per micro-step.
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

OrderedJson intervalRecord(const std::optional<Interval>& interval)
{
    return interval ? OrderedJson{interval->low, interval->high} : OrderedJson(nullptr);
}

std::optional<double> firstStepOf(const std::vector<RepeatResult>& repeats)
{
    for (const RepeatResult& repeat : repeats)
        if (repeat.firstStepSeconds)
            return repeat.firstStepSeconds;
    return std::nullopt;
}

} // namespace

OrderedJson speedRecord(const config::Trial& trial, const std::vector<RepeatResult>& repeats)
{
    const config::Configuration& configuration = trial.configuration;
    const bool scatters = !trial.device.isSimulated(); // steps of a prediction are equal
    const Samples samples = samplesOf(repeats, &RepeatResult::stepSeconds);
    const std::vector<double> all = flat(samples);
    const std::optional<double> stepSeconds = median(all);
    const std::optional<double> rate = stepSeconds && *stepSeconds > 0 ? std::optional(1 / *stepSeconds) : std::nullopt;
    OrderedJson record;
    record["steps_per_second"] = protocol::orNull(rate);
    record["samples_per_second"] = protocol::orNull(times(rate, samplesPerStep(configuration.workload)));
    record["tokens_per_second"] = protocol::orNull(times(rate, tokensPerStep(configuration)));
    record["step_seconds_median"] = protocol::orNull(stepSeconds);
    record["step_seconds_mad"] =
        scatters ? OrderedJson(protocol::orNull(medianAbsoluteDeviation(all))) : OrderedJson(nullptr);
    record["ci95"] = scatters ? intervalRecord(bootstrapMedian95(samples)) : OrderedJson(nullptr);
    record["samples_seconds"] = samplesRecord(samples);
    record["first_step_seconds"] = protocol::orNull(firstStepOf(repeats));
    record["warmup_seconds"] = samplesRecord(samplesOf(repeats, &RepeatResult::warmupSeconds));
    record["steady"] = protocol::orNull(isSteadyOver(repeats));
    return record;
}

} // namespace headroom::experiments
