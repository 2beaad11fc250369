// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/WorkerAnswer.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// Good; Absent: something is missing that not everyone needs; Broken: Headroom does not work without it.
enum class Health { Good, Absent, Broken };

/// What `headroom doctor` found out about one thing.
struct HealthCheck {
    std::string name;
    Health health = Health::Good;
    std::string found;
    std::string meaning; ///< what follows from it; empty when nothing does
    int exitCode = 0; ///< of the program when this is broken
};

std::string toText(Health health);

/// Looks at everything; `worker` is what the worker said, `workspace` the file that runs would write.
std::vector<HealthCheck> examine(const WorkerAnswer& worker, const std::string& workspace);

} // namespace headroom::cli
