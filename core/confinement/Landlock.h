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

} // namespace headroom::confinement
