// SPDX-License-Identifier: Apache-2.0
//
// Writes docs/measurements/families-cpu-vs-sim.md: every family's smallest model, measured beside simulated.
//
//   measure-families-cpu-vs-sim > docs/measurements/families-cpu-vs-sim.md
#include "tests/profiling/pages/ComparisonTable.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

using namespace headroom;

namespace {

std::string headOf(const collectors::Differences& differences)
{
    return fmt::format("# Every family: measured on `cpu` against simulated on `sim:cpu`\n\n"
                       "Peak of allocated bytes after warm-up of each family's smallest model, without techniques and "
                       "with the same\ncombinations of them for all; in inference those that mean something there. "
                       "`cpu` really runs and counts every\nallocation of LibTorch's CPU allocator; `sim:cpu` runs the "
                       "same program on tensors without bytes.\n\n"
                       "- {}\n"
                       "- equal to the byte: {} of {}; largest difference {:.3f} %; the test allows 0.5 %\n"
                       "- host pool: different in {} of {}\n\n"
                       "Regenerate with the build tree's `bin/measure-families-cpu-vs-sim`.\n\n",
        collectors::measuredWith(), differences.exact, differences.relative.size(), 100 * differences.largest(),
        differences.hostDiffers, differences.relative.size());
}

} // namespace

int main()
{
    std::vector<collectors::ComparedCombination> trials;
    for (const config::Configuration& configuration : collectors::familyCombinations())
        trials.push_back(collectors::compareCombination(configuration));
    std::fputs(headOf(collectors::differencesOf(trials)).c_str(), stdout);
    return collectors::printTable(trials) ? EXIT_SUCCESS : EXIT_FAILURE;
}
