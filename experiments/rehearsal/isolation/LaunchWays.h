// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/isolation/CommandTerms.h"
#include "experiments/rehearsal/isolation/Launch.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headroom::experiments {

/// By what the kernel holds a command to its terms.
enum class LaunchWay {
    Mounts, ///< by overlays, as somebody who may mount
    LockedMounts, ///< as anybody, in a user namespace
    Landlock, ///< it can write in few places, which it is told of
    LandlockWithoutInternet, ///< and there is no network namespace, so it has no sockets of the internet at all
    Open, ///< by nothing
    OpenWithoutInternet
};

/// Those that hold a command to its terms, the best first.
std::vector<LaunchWay> waysFor(const CommandTerms& terms);

struct PreparedLaunch {
    Launch launch{};
    std::string isolation{};
    std::vector<std::string> lacking{};
};

/// Throws UsageError where the kernel lacks what the way needs. `discarded` is an empty folder.
std::unique_ptr<PreparedLaunch> preparedLaunch(
    const CommandTerms& terms, LaunchWay way, const std::filesystem::path& discarded);

} // namespace headroom::experiments
