// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/confinement/FileRule.h"

#include <string>
#include <vector>

namespace headroom::confinement {

/// Whether a kernel confines by Landlock, and how far.
struct LandlockState {
    int version = 0; ///< of the kernel's Landlock, from 1; 0: this process is not confined by it
    std::string reason{}; ///< why not
};

/// From now on this thread, and those that it starts, may use the files of the rules and no others, bind and connect no
/// TCP socket, and signal and trace no process outside, as far as the kernel's version knows these. A rule whose path
/// is not there is left out: nothing can be opened there later either. For good; a second call can only tighten.
LandlockState restrictFiles(const std::vector<FileRule>& rules);

/// What one process prepares and another, which it forks, takes on: a process that was forked while other threads were
/// there may not allocate.
class LandlockDomain {
public:
    struct Terms {
        bool holdsFiles = true; ///< to the rules; programs may be started, sockets used
        std::vector<FileRule> files{};
        bool holdsSignals = true; ///< to processes of the domain, from version 6 on
    };

    explicit LandlockDomain(const Terms& terms);
    ~LandlockDomain();
    LandlockDomain(const LandlockDomain&) = delete;
    LandlockDomain& operator=(const LandlockDomain&) = delete;

    /// Of the kernel; 0: it has none, and there is nothing to enter.
    int version() const { return m_state.version; }
    const std::string& reason() const { return m_state.reason; }
    int descriptor() const { return m_descriptor; }

    /// For this thread and those that it starts, for good. Programs can gain no rights from then on. Whether it was
    /// done; errno says why not.
    bool enter() const noexcept;

private:
    LandlockState m_state;
    int m_descriptor = -1;
};

} // namespace headroom::confinement
