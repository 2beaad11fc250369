// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/WorkerAnswer.h"
#include "experiments/results/OrderedJson.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// Good; Absent: something is missing that not everyone needs; Noted: it works, and somebody should know this; Broken:
/// Headroom does not work without it.
enum class Health { Good, Absent, Noted, Broken };

/// What `headroom doctor` found out about one thing.
struct HealthCheck {
    std::string name;
    Health health = Health::Good;
    std::string found;
    std::string meaning; ///< what follows from it; empty when nothing does
    int exitCode = 0; ///< of the program when this is broken
};

std::string toText(Health health);
experiments::OrderedJson recordOf(const HealthCheck& check);

/// 0, or that of the worst that is broken.
int exitCodeOf(const std::vector<HealthCheck>& checks);

/// Looks at a workspace that is there: whether it is sound, what lies beside it, and where it is.
std::vector<HealthCheck> examineWorkspace(const std::string& workspace);

/// Looks at everything; `worker` is what the worker said, `workspace` the file that runs would write.
std::vector<HealthCheck> examine(const WorkerAnswer& worker, const std::string& workspace);

} // namespace headroom::cli
