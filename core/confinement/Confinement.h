// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/confinement/CallFilter.h"
#include "core/confinement/FileRule.h"

#include <string>
#include <vector>

namespace headroom::confinement {

/// What the kernel keeps a process from.
struct Confinement {
    int landlock = 0; ///< version of the Landlock that holds; 0: none
    bool isFiltered = false; ///< whether calls are, by seccomp
    std::vector<std::string> lacking{}; ///< what is not held, with the reason

    bool holdsFiles() const { return landlock > 0; }
    bool isComplete() const { return lacking.empty(); }
};

/// Gives up, for good, everything but the files of the rules and sockets of that kind; of root, also what root may
/// beyond files. To be called before a second thread is there. Where the kernel lacks a part, the rest is held.
Confinement confine(const std::vector<FileRule>& rules, Sockets sockets);

} // namespace headroom::confinement
