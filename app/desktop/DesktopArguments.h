// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/Preferences.h"

#include <optional>

namespace headroom::desktop {

/// The result of the command line: start the window, or exit at once with a code (help and version have then been
/// printed to standard output, errors to standard error).
struct Start {
    ui::StartOptions options;
    std::optional<int> exitCode;
};

/// Qt's own arguments (-platform NAME and the like) are left to Qt.
Start readArguments(int argc, char** argv);

} // namespace headroom::desktop
