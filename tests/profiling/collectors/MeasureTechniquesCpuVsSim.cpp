// SPDX-License-Identifier: Apache-2.0
//
// Writes docs/measurements/techniques-cpu-vs-sim.md: measured peaks of random combinations beside those of sim:cpu.
//
//   measure-techniques-cpu-vs-sim > docs/measurements/techniques-cpu-vs-sim.md
#include "core/tensor/DeviceContext.h"
#include "tests/profiling/collectors/TechniqueComparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace headroom;

namespace {

constexpr unsigned kSeed = 2026;
constexpr int kCount = 100;

struct Differences {
    std::vector<double> relative; ///< sorted
    int exact = 0;
    int hostDiffers = 0;
};

Differences differencesOf(const std::vector<collectors::ComparedCombination>& trials)
{
    Differences result;
    for (const auto& trial : trials) {
        result.relative.push_back(std::abs(trial.relativeDifference()));
        result.exact += trial.measuredBytes == trial.simulatedBytes ? 1 : 0;
        result.hostDiffers += trial.measuredHostBytes == trial.simulatedHostBytes ? 0 : 1;
    }
    std::ranges::sort(result.relative);
    return result;
}

std::string headOf(const Differences& differences)
{
    return fmt::format("# Random combinations of techniques: measured on `cpu` against simulated on `sim:cpu`\n\n"
                       "Peak of allocated bytes after warm-up, and peak of the host pool (pinned and pageable), of {} "
                       "combinations of\ntechnique, small model and workload drawn at random (seed {}). `cpu` really "
                       "runs and counts every allocation of\nLibTorch's CPU allocator; `sim:cpu` runs the same program "
                       "on tensors without bytes.\n\n"
                       "- LibTorch {}, CPU capability {}, {} thread(s)\n"
                       "- equal to the byte: {} of {}; largest difference {:.3f} %, median {:.3f} %; the tests allow "
                       "2 % and 0.5 %\n"
                       "- host pool: different in {} of {}\n\n"
                       "Regenerate with the build tree's `bin/measure-techniques-cpu-vs-sim`.\n\n",
        kCount, kSeed, tensor::torchVersion(), tensor::cpuCapability(), tensor::cpuThreads(), differences.exact, kCount,
        100 * differences.relative.back(), 100 * differences.relative[differences.relative.size() / 2],
        differences.hostDiffers, kCount);
}

} // namespace

int main()
{
    const auto trials = collectors::compareCombinations(kSeed, kCount);
    std::fputs(headOf(differencesOf(trials)).c_str(), stdout);
    std::puts("| model | workload | techniques | measured | simulated | difference | host pool |\n"
              "|---|---|---|---:|---:|---:|---:|");
    bool allCompleted = true;
    for (const auto& trial : trials) {
        std::puts(
            fmt::format("| {} | {} | {} | {} | {} | {:+.3f} % | {} |", trial.model, trial.workload, trial.techniques,
                trial.measuredBytes, trial.simulatedBytes, 100 * trial.relativeDifference(), trial.measuredHostBytes)
                .c_str());
        allCompleted = allCompleted && trial.measuredBytes > 0 && trial.simulatedBytes > 0;
    }
    return allCompleted ? EXIT_SUCCESS : EXIT_FAILURE;
}
