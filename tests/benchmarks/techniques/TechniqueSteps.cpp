// SPDX-License-Identifier: Apache-2.0
//
// The step time of each technique by itself beside the plain step: the trials of the preset technique-costs in one
// process, turn and turn about, ratios of each round by itself. What a trial's own run says of its time is at the mercy
// of what the machine did in that minute; this is not. Prints a table of docs/measurements/technique-costs.md.
//
//   benchmark-techniques [ROUNDS]
#include "core/models/families/ModelZoo.h"
#include "core/tensor/DeviceContext.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "profiling/measurement/FirstStep.h"
#include "tests/benchmarks/techniques/Rounds.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace headroom;
using Clock = std::chrono::steady_clock;

constexpr int kDefaultRounds = 12;
constexpr int kWarmUpRounds = 2;

class SilentObserver final : public training::StepObserver {
public:
    void phaseBegins(const std::string&, std::int64_t) override { }
    void phaseEnds(const std::string&, std::int64_t) override { }
};

/// One trial with its model and its times, round by round.
class Arm {
public:
    explicit Arm(const experiments::PlannedTrial& planned)
        : m_label(planned.label)
        , m_configuration(planned.trial.configuration)
        , m_loaded(collectors::freshModel(
              m_configuration, planned.trial.device, collectors::WeightPlacement::AsTechniquesKeepThem))
    {
        m_loaded.techniques->apply(*m_loaded.model);
        m_runner.emplace(*m_loaded.model, m_loaded.techniques->hooks(), m_configuration.workload,
            models::makeInputs(m_configuration, at::kFloat), m_observer);
    }

    // Work that a step leaves to side streams falls into the step after it: into the first one here, which is not
    // timed, or into the timed one, if it is this arm's own.
    void run()
    {
        m_runner->run(0);
        const auto begin = Clock::now();
        m_runner->run(1);
        m_steps.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
    void forget() { m_steps.clear(); }

    const std::string& label() const { return m_label; }
    bool isBaselineOf(const Arm& other) const
    {
        return config::isBaseline(m_configuration) && config::baselineOf(other.m_configuration) == m_configuration;
    }
    const std::vector<double>& steps() const { return m_steps; }

private:
    std::string m_label;
    config::Configuration m_configuration;
    SilentObserver m_observer;
    collectors::LoadedModel m_loaded;
    std::optional<training::StepRunner> m_runner;
    std::vector<double> m_steps;
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double ratio(const Arm& arm, const Arm& plain)
{
    std::vector<double> ratios;
    for (std::size_t round = 0; round < arm.steps().size(); ++round)
        ratios.push_back(arm.steps()[round] / plain.steps()[round]);
    return median(ratios);
}

// An optimizer is part of the task, and so the baseline of its own trials: beside the first trial of all.
const Arm& plainFor(const Arm& arm, const std::vector<std::unique_ptr<Arm>>& arms)
{
    for (const auto& other : arms)
        if (other.get() != &arm && other->isBaselineOf(arm))
            return *other;
    return *arms.front();
}

} // namespace

int main(int argc, char** argv)
{
    const int rounds = argc > 1 ? std::atoi(argv[1]) : kDefaultRounds;
    std::vector<std::unique_ptr<Arm>> arms;
    for (const auto& planned : experiments::expand(
             experiments::loadSpecFile(HEADROOM_SOURCE_DIR "/resources/presets/technique-costs.toml", {})))
        arms.push_back(std::make_unique<Arm>(planned));
    runRounds(arms, rounds, kWarmUpRounds);
    std::printf("- LibTorch %s, CPU capability %s, %d thread(s), %d rounds after %d warm-up rounds, medians\n\n",
        tensor::torchVersion().c_str(), tensor::cpuCapability().c_str(), tensor::cpuThreads(), rounds, kWarmUpRounds);
    std::puts("| technique | step (ms) | beside | step against it |\n|---|---:|---|---:|");
    for (const auto& arm : arms) {
        const Arm& plain = plainFor(*arm, arms);
        std::printf("| %s | %.0f | %s | %.2f |\n", arm->label().c_str(), 1e3 * median(arm->steps()),
            plain.label().c_str(), ratio(*arm, plain));
    }
    return std::ferror(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
