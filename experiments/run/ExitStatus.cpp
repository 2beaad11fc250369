// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/ExitStatus.h"

#include <sys/wait.h>

#include <csignal>
#include <cstring>

namespace headroom::experiments {

std::string ExitStatus::text() const
{
    if (signal == 0)
        return "exit code " + std::to_string(code);
    const char* name = sigabbrev_np(signal);
    return "signal " + std::to_string(signal) + (name != nullptr ? " (SIG" + std::string(name) + ")" : "");
}

ExitStatus exitStatusFromWait(int status)
{
    if (WIFSIGNALED(status))
        return {0, WTERMSIG(status)};
    return {WEXITSTATUS(status), 0};
}

} // namespace headroom::experiments
