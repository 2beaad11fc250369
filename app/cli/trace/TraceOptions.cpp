// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/TraceOptions.h"

#include "app/cli/output/OptionChecks.h"

#include <CLI/CLI.hpp>

namespace headroom::cli {

void addExperimentOption(CLI::App& command, std::string& experiment)
{
    command.add_option("--experiment", experiment, "name (the newest of it) or number; else all of them")
        ->type_name("E")
        ->check(notEmpty);
}

void addTrialOption(CLI::App& command, std::string& trial)
{
    command.add_option("trial", trial, "its id, the beginning of it, or its label")
        ->type_name("TRIAL")
        ->required()
        ->check(notEmpty);
}

} // namespace headroom::cli
