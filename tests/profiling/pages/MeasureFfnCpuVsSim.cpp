// SPDX-License-Identifier: Apache-2.0
//
// Writes docs/measurements/ffn-cpu-vs-sim.md: the CPU's measured peaks beside those of sim:cpu.
//
//   measure-ffn-cpu-vs-sim > docs/measurements/ffn-cpu-vs-sim.md
#include "core/tensor/DeviceContext.h"
#include "tests/profiling/comparisons/CpuComparison.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace headroom;

namespace {

constexpr unsigned kSeed = 2025;

void printTable(const char* title, const std::vector<collectors::ComparedTrial>& trials)
{
    std::printf("\n## %s\n\n", title);
    std::puts("| activation | split_ffn | step | dtype | shape | measured bytes | simulated bytes | difference |");
    std::puts("|---|---|---|---|---|---:|---:|---:|");
    for (const auto& trial : trials)
        std::printf("| %s | %s | %s | %s | %s | %lld | %lld | %+.3f %% |\n", trial.activation.c_str(),
            trial.splitFfn.c_str(), trial.step.c_str(), trial.dtype.c_str(), trial.shape.c_str(),
            static_cast<long long>(trial.measuredBytes), static_cast<long long>(trial.simulatedBytes),
            100 * trial.relativeDifference());
}

double worstOf(const std::vector<collectors::ComparedTrial>& trials)
{
    double worst = 0;
    for (const auto& trial : trials)
        worst = std::max(worst, std::abs(trial.relativeDifference()));
    return worst;
}

void printHead(std::size_t count, double worst)
{
    std::printf("# Feed-forward stack: measured on `cpu` against simulated on `sim:cpu`\n\n");
    std::printf("Peak of allocated bytes after warm-up, for shapes drawn at random (seed %u). `cpu` really runs and "
                "counts every\nallocation of LibTorch's CPU allocator; `sim:cpu` runs the same program on tensors "
                "without bytes.\n\n",
        kSeed);
    std::printf("- LibTorch %s, CPU capability %s, %d thread(s)\n", tensor::torchVersion().c_str(),
        at::get_cpu_capability().c_str(), at::get_num_threads());
    std::printf("- %zu trials, largest difference %.3f %%; the tests allow 1 %%\n", count, 100 * worst);
    std::printf("- Memory only: `sim:cpu` claims no speed, as every host is another machine\n\n");
    std::printf(
        "Regenerate with the build tree's `bin/measure-ffn-cpu-vs-sim > docs/measurements/ffn-cpu-vs-sim.md`.\n");
}

} // namespace

int main()
{
    const auto inference = collectors::compareInference(kSeed);
    const auto training = collectors::compareTraining(kSeed);
    printHead(inference.size() + training.size(), std::max(worstOf(inference), worstOf(training)));
    printTable("Inference", inference);
    printTable("Forward and backward, training", training);
    return std::ferror(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
