// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/WorkerVariables.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace headroom::experiments {
namespace {

using Variables = std::map<std::string, std::string>;

// One choice: what workers get, unless one of `deciding` is set.
struct WorkerChoice {
    std::vector<const char*> deciding;
    Variables given;
};

// A thread looks a thousand times whether the others have arrived (some 25 microseconds), then it sleeps: longer
// spinning takes a busy machine's time slices from the thread that is waited for, and without any, waking threads costs
// a tenth of a step.
WorkerChoice waitingThreads()
{
    return {{"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}, {{"OMP_WAIT_POLICY", "passive"}, {"GOMP_SPINCOUNT", "1000"}}};
}

// A step frees what the next one takes again. By default the C library returns it to the system in between, and each
// step waits for the kernel to clear the same pages once more. The first threshold, 64 GiB, is never reached; the
// second is where glibc's own, which moves, ends up at most.
WorkerChoice freedMemory()
{
    return {{"MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES"},
        {{"MALLOC_TRIM_THRESHOLD_", "68719476736"}, {"MALLOC_MMAP_THRESHOLD_", "33554432"}}};
}

} // namespace

Variables workerVariables()
{
    Variables variables;
    for (const WorkerChoice& choice : {waitingThreads(), freedMemory()})
        if (std::ranges::none_of(choice.deciding, [](const char* name) { return std::getenv(name) != nullptr; }))
            variables.insert(choice.given.begin(), choice.given.end());
    return variables;
}

} // namespace headroom::experiments
