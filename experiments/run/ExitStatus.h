// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::experiments {

/// How a process ended.
struct ExitStatus {
    int code = 0; ///< meaningless when a signal ended it
    int signal = 0; ///< 0: it exited by itself

    bool isGood() const { return code == 0 && signal == 0; }
    /// "exit code 1", "signal 9 (SIGKILL)"
    std::string text() const;
    bool operator==(const ExitStatus&) const = default;
};

/// From what waitpid gives.
ExitStatus exitStatusFromWait(int status);

} // namespace headroom::experiments
