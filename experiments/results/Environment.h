// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/protocol/WorkerMessages.h"
#include "experiments/results/OrderedJson.h"

#include <map>
#include <optional>
#include <string>

namespace headroom::experiments {

/// Where an experiment ran. Unknown fields are empty.
struct Environment {
    std::string host;
    std::string operatingSystem; ///< "Debian GNU/Linux 12 (bookworm)"
    std::string kernel;
    std::string cpuModel;
    int logicalCpus = 0; ///< CPUs that this process may run on
    Bytes memoryBytes = 0; ///< of the machine; 0: unknown
    std::string headroomVersion;
    std::optional<protocol::WorkerDescription> worker; ///< nullopt until a worker has said hello
    std::map<std::string, std::string> variables; ///< from the allow-list only: others may be secrets
};

/// Reads the environment of this machine and process.
Environment captureEnvironment();

/// The `environment` object of a results document.
OrderedJson toJson(const Environment& environment);

} // namespace headroom::experiments
