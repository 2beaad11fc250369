// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom doctor`: what is there, what is missing, and what that means.
void addDoctorCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
