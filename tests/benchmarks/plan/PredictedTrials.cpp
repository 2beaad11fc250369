// SPDX-License-Identifier: Apache-2.0
//
// How long a search over full-size trials takes: 1,000 distinct trials of LTX-Video 2B, forward and backward, through a
// pool of workers, one for each core. Prints Markdown: wall and processor seconds, of all and by policy.
//
//   benchmark-predicted-trials [TRIALS]
#include "core/config/catalogue/Catalogue.h"
#include "experiments/plan/PredictionPool.h"
#include "tests/support/Configurations.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace {

using namespace headroom;
using experiments::PredictionDepth;
using experiments::PredictionPool;
using experiments::TrialPrediction;

config::Trial trialOf(const std::map<std::string, std::string>& techniques, const config::ValueMap& workload)
{
    config::Trial trial;
    trial.configuration = configurationOf("ltx-video-2b", techniques, {}, workload);
    trial.device = config::parseDevice("sim:a100-80gb@torch-2.11", "device");
    return trial;
}

constexpr std::array kPolicies{"none", "all", "every:2", "except:8", "ops", "every:4", "ops:mm/2"};

// Policies, splits, ways to train and shapes, all crossed.
std::vector<config::Trial> distinctTrials(std::span<const char* const> policies, std::size_t count)
{
    std::vector<config::Trial> trials;
    for (const std::int64_t frames : {25, 41, 57, 73, 89, 105, 121})
        for (const std::int64_t height : {256, 320, 384, 448, 512, 576})
            for (const char* checkpointing : policies)
                for (const char* split : {"off", "2:recompute"})
                    for (const char* trainable : {"all", "lora:16"})
                        trials.push_back(
                            trialOf({{"checkpointing", checkpointing}, {"split_ffn", split}, {"trainable", trainable}},
                                {{"step", "forward_backward"}, {"dtype", "bfloat16"}, {"frames", frames},
                                    {"height", height}, {"width", 512}}));
    trials.resize(std::min(trials.size(), count));
    return trials;
}

double processorSeconds(int who)
{
    rusage usage{};
    ::getrusage(who, &usage);
    const auto seconds = [](const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void measure(std::string_view policies, const std::vector<config::Trial>& trials, std::size_t workers)
{
    const double before = processorSeconds(RUSAGE_CHILDREN);
    const auto begin = std::chrono::steady_clock::now();
    std::size_t answered = 0;
    std::size_t fitting = 0;
    {
        PredictionPool pool(workers);
        pool.predictAll(trials, PredictionDepth::Card, {}, [&](std::size_t, const TrialPrediction& prediction) {
            answered += prediction.isWhole() ? 1 : 0;
            fitting += prediction.result.outcome == Outcome::Completed ? 1 : 0;
        });
    }
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double processor = processorSeconds(RUSAGE_CHILDREN) - before;
    const auto count = double(trials.size());
    fmt::print("| {} | {} | {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", policies, trials.size(), answered,
        fitting, workers, wall, processor, 1e3 * processor / count, processor / double(workers));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
    const std::size_t workers = experiments::coresOfThisProcess();
    fmt::print("| checkpointing | trials | answered | fit | workers | wall s | processor s | processor ms a trial | "
               "processor s a worker |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    measure("all of these", distinctTrials(kPolicies, count), workers);
    for (const char* policy : kPolicies)
        measure(policy, distinctTrials(std::span(&policy, 1), count / kPolicies.size()), workers);
    return 0;
}
