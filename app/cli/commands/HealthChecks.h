// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/WorkerAnswer.h"
#include "experiments/results/OrderedJson.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// Good. Absent: something is missing that not everyone needs. Noted: it works, but the user should know about it.
/// Broken: Headroom does not work without it.
enum class Health { Good, Absent, Noted, Broken };

/// The result of one check of `headroom doctor`.
struct HealthCheck {
    std::string name;
    Health health = Health::Good;
    std::string found;
    std::string meaning; ///< the consequence; empty if there is none
    int exitCode = 0; ///< of the program if this is broken
};

std::string toText(Health health);
experiments::OrderedJson recordOf(const HealthCheck& check);

/// 0, or the exit code of the worst broken check.
int exitCodeOf(const std::vector<HealthCheck>& checks);

/// Checks an existing workspace: whether it is sound, which files lie beside it, and where it is.
std::vector<HealthCheck> examineWorkspace(const std::string& workspace);

/// Makes every check; `worker` is the worker's answer, `workspace` the file that runs would write.
std::vector<HealthCheck> examine(const WorkerAnswer& worker, const std::string& workspace);

} // namespace headroom::cli
