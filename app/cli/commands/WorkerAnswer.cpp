// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/WorkerAnswer.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/run/WorkerSession.h"

namespace headroom::cli {

WorkerAnswer askWorker()
{
    constexpr std::chrono::duration<double> kPatience = std::chrono::seconds(30);
    try {
        return {experiments::describeWorker(config::workerProgram(), {.timeout = kPatience, .stop = {}}), ""};
    } catch (const Error& error) {
        return {std::nullopt, error.what()};
    }
}

} // namespace headroom::cli
