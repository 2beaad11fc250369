// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/StartOptions.h"

#include <optional>

namespace headroom::desktop {

/// What the command line asks for: start the window, or end at once with an exit code (help and version are on
/// standard output by then, errors on standard error).
struct Start {
    ui::StartOptions options;
    std::optional<int> exitCode;
};

/// Qt's own arguments (-platform NAME and the like) are left to Qt.
Start readArguments(int argc, char** argv);

} // namespace headroom::desktop
