// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace headroom::experiments {

/// Environment variables that workers get in addition to those of this process (docs/measuring.md, "The processor's
/// threads" and "Memory that a step takes again"; measured in docs/measurements/waiting-threads.md):
/// - how threads wait for each other: `GOMP_SPINCOUNT` for LibTorch's own OpenMP library, `OMP_WAIT_POLICY=passive` for
///   any other;
/// - what the C library does with freed memory: `MALLOC_TRIM_THRESHOLD_` and `MALLOC_MMAP_THRESHOLD_`, in bytes.
///
/// Each of the two is left alone if the user has decided about it. The values are the same for all workers of a run.
std::map<std::string, std::string> workerVariables();

} // namespace headroom::experiments
