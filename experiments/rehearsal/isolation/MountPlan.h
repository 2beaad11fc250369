// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/isolation/Launch.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What a command is to see of the files.
struct MountTerms {
    std::filesystem::path discarded; ///< on a disk: what is written goes there
    std::vector<std::filesystem::path> written; ///< these are written for real
    std::vector<std::filesystem::path> hidden; ///< cannot be opened
    std::vector<std::filesystem::path> needed; ///< where writing must be possible, if only to be thrown away
    bool discardsWrites = true;
    /// Of a user namespace that was made for it: the kernel does not let it see below what is mounted now, so no
    /// overlay covers a folder in which something is mounted.
    bool mountsAreLocked = false;
    bool hidesSockets = true; ///< those of other programs
};

struct MountPlan {
    std::vector<MountStep> steps{};
    std::string root{}; ///< to become the root; empty: it stays
};

/// Makes what the steps need in the discarded folder. Programs see /dev with what every program uses and nothing else,
/// so no GPU; /proc as it is, without what changes the system; the rest as it is, with overlays where it can be
/// written.
MountPlan planMounts(const MountTerms& terms);

} // namespace headroom::experiments
