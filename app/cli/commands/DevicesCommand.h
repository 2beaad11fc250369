// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom devices`: lists the devices, or shows a profile with the source of each constant.
void addDevicesCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
