// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom models`: lists the models, or shows one with its fields, shapes and sizes.
void addModelsCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
