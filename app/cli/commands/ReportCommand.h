// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom report`: makes a report of an experiment that is in a workspace.
void addReportCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
