// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/pages/ComparisonTable.h"

#include "core/tensor/DeviceContext.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace headroom::collectors {

Differences differencesOf(const std::vector<ComparedCombination>& trials)
{
    Differences result;
    for (const ComparedCombination& trial : trials) {
        result.relative.push_back(std::abs(trial.relativeDifference()));
        result.exact += trial.measuredBytes == trial.simulatedBytes ? 1 : 0;
        result.hostDiffers += trial.measuredHostBytes == trial.simulatedHostBytes ? 0 : 1;
    }
    std::ranges::sort(result.relative);
    return result;
}

bool printTable(const std::vector<ComparedCombination>& trials)
{
    std::puts("| model | workload | techniques | measured | simulated | difference | host pool |\n"
              "|---|---|---|---:|---:|---:|---:|");
    bool allCompleted = true;
    for (const ComparedCombination& trial : trials) {
        std::puts(
            fmt::format("| {} | {} | {} | {} | {} | {:+.3f} % | {} |", trial.model, trial.workload, trial.techniques,
                trial.measuredBytes, trial.simulatedBytes, 100 * trial.relativeDifference(), trial.measuredHostBytes)
                .c_str());
        allCompleted = allCompleted && trial.measuredBytes > 0 && trial.simulatedBytes > 0;
    }
    return allCompleted;
}

std::string measuredWith()
{
    return fmt::format("LibTorch {}, CPU capability {}, {} thread(s)", tensor::torchVersion(), tensor::cpuCapability(),
        tensor::cpuThreads());
}

} // namespace headroom::collectors
