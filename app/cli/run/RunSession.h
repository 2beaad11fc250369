// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/WorkloadFlags.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// The user's arguments to `headroom run`, as text.
struct RunArguments {
    std::string source; ///< preset or file; empty: flags only
    std::vector<std::string> models;
    std::vector<std::string> devices;
    std::vector<std::string> allocators; ///< a setting each
    std::map<std::string, std::vector<std::string>> techniques; ///< by key
    WorkloadArguments workload; ///< from the flags that are short for `workload.*`
    std::vector<std::string> assignments;
    std::string workspace;
    std::string format = "table";
    std::string events;
    std::string budgets; ///< files; empty: none
    std::string junit;
    std::string summary;
    std::string shard;
    std::string filter;
    std::string traceLimit; ///< empty: none
    std::string traceFilter; ///< which trials to trace; overrides `trace`
    std::optional<double> timeoutSeconds;
    std::optional<std::int64_t> jobs; ///< none: one for each core
    bool dryRun = false;
    bool resume = false;
    bool quick = false;
    bool trace = false;
    bool traceKernels = false;
    bool failFast = false;
    bool keepGoing = false; ///< the default, said explicitly
};

/// The command line of this process, quoted so that it can be typed again.
std::string typedCommandLine();

/// Carries out `headroom run` and returns the exit code. Throws what the spec, the sweep and the runner throw; on a
/// UsageError, nothing was run or written.
int run(const RunArguments& arguments);

} // namespace headroom::cli
