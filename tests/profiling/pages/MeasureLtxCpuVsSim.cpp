// SPDX-License-Identifier: Apache-2.0
//
// Writes docs/measurements/ltx-cpu-vs-sim.md: the CPU's measured peaks beside those of sim:cpu.
//
//   measure-ltx-cpu-vs-sim > docs/measurements/ltx-cpu-vs-sim.md
#include "core/tensor/DeviceContext.h"
#include "tests/profiling/comparisons/LtxComparison.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace headroom;

namespace {

constexpr unsigned kSeed = 2026;
constexpr int kShapes = 4;

void printHead(std::vector<double> differences)
{
    std::sort(differences.begin(), differences.end());
    std::printf("# Small LTX-Video: measured on `cpu` against simulated on `sim:cpu`\n\n");
    std::printf(
        "Peak of allocated bytes after warm-up under every form of checkpointing policy, for %d shapes drawn at "
        "random\n(seed %u). `cpu` really runs and counts every allocation of LibTorch's CPU allocator; "
        "`sim:cpu` runs the same program\non tensors without bytes.\n\n",
        kShapes, kSeed);
    std::printf("- LibTorch %s, CPU capability %s, %d thread(s)\n", tensor::torchVersion().c_str(),
        at::get_cpu_capability().c_str(), at::get_num_threads());
    std::printf("- %zu trials: largest difference %.3f %%, median %.3f %%; the tests allow 2 %% and 0.5 %%\n",
        differences.size(), 100 * differences.back(), 100 * differences[differences.size() / 2]);
    std::printf("- Memory only: `sim:cpu` claims no speed, as every host is another machine\n\n");
    std::puts("Regenerate with the build tree's `bin/measure-ltx-cpu-vs-sim > docs/measurements/ltx-cpu-vs-sim.md`.\n");
}

void printRow(const collectors::LtxComparedTrial& trial)
{
    std::printf("| %s | %s | %s | %s | %lld | %lld | %+.3f %% |\n", trial.policy.c_str(), trial.step.c_str(),
        trial.dtype.c_str(), trial.shape.c_str(), static_cast<long long>(trial.measuredBytes),
        static_cast<long long>(trial.simulatedBytes), 100 * trial.relativeDifference());
}

} // namespace

int main()
{
    const auto trials = collectors::compareLtx(kSeed, kShapes);
    std::vector<double> differences;
    for (const auto& trial : trials)
        differences.push_back(std::abs(trial.relativeDifference()));
    printHead(differences);
    std::puts("| checkpointing | step | dtype | shape | measured bytes | simulated bytes | difference |");
    std::puts("|---|---|---|---|---:|---:|---:|");
    for (const auto& trial : trials)
        printRow(trial);
    return std::ferror(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
