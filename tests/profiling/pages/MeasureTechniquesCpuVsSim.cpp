// SPDX-License-Identifier: Apache-2.0
//
// Writes docs/measurements/techniques-cpu-vs-sim.md: measured peaks of random combinations beside those of sim:cpu.
//
//   measure-techniques-cpu-vs-sim > docs/measurements/techniques-cpu-vs-sim.md
#include "tests/profiling/pages/ComparisonTable.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

using namespace headroom;

namespace {

constexpr unsigned kSeed = 2026;
constexpr int kCount = 100;

std::string headOf(const collectors::Differences& differences)
{
    return fmt::format("# Random combinations of techniques: measured on `cpu` against simulated on `sim:cpu`\n\n"
                       "Peak of allocated bytes after warm-up, and peak of the host pool (pinned and pageable), of {} "
                       "combinations of\ntechnique, small model and workload drawn at random (seed {}). `cpu` really "
                       "runs and counts every allocation of\nLibTorch's CPU allocator; `sim:cpu` runs the same program "
                       "on tensors without bytes.\n\n"
                       "- {}\n"
                       "- equal to the byte: {} of {}; largest difference {:.3f} %, median {:.3f} %; the tests allow "
                       "2 % and 0.5 %\n"
                       "- host pool: different in {} of {}\n\n"
                       "Regenerate with the build tree's `bin/measure-techniques-cpu-vs-sim`.\n\n",
        kCount, kSeed, collectors::measuredWith(), differences.exact, kCount, 100 * differences.largest(),
        100 * differences.median(), differences.hostDiffers, kCount);
}

} // namespace

int main()
{
    const auto trials = collectors::compareCombinations(kSeed, kCount);
    std::fputs(headOf(collectors::differencesOf(trials)).c_str(), stdout);
    return collectors::printTable(trials) ? EXIT_SUCCESS : EXIT_FAILURE;
}
