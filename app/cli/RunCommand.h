// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/CommandLine.h"

namespace headroom::cli {

/// `headroom run`: runs a sweep, or lists it.
void addRunCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
