// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/WorkerVariables.h"

#include <cstdlib>

namespace headroom::experiments {

std::map<std::string, std::string> workerVariables()
{
    for (const char* decided : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"})
        if (std::getenv(decided) != nullptr)
            return {};
    return {{"OMP_WAIT_POLICY", "passive"}};
}

} // namespace headroom::experiments
