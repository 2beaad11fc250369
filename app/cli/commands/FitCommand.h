// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom fit`: lists the smallest changes with which a trial is predicted to fit its device.
void addFitCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
