// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/TraceCommand.h"

#include "core/base/Error.h"

#include <CLI/CLI.hpp>

namespace headroom::cli {
namespace {

constexpr const char* kTraceExamples =
    R"(A trace is every allocation of a trial with its time and owner. It is recorded where a sweep is run with --trace:

  headroom run ltx-checkpointing-small --trace
  headroom trace show "cpu | baseline"

headroom trace COMMAND --help says more.)";

std::string commandsOf(const CLI::App& command)
{
    std::string names;
    for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; }))
        names += (names.empty() ? "" : ", ") + sub->get_name();
    return names;
}

} // namespace

void addTraceCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("trace", "Look into recorded traces: what was in memory, and why");
    command->require_subcommand(0, 1);
    command->footer(kTraceExamples);
    addTraceShowCommand(*command, chosen);
    addTraceExportCommand(*command, chosen);
    addTraceImportCommand(*command, chosen);
    addTraceReplayCommand(*command, chosen);
    addTraceDropCommand(*command, chosen);
    addTraceCompactCommand(*command, chosen);
    command->callback([command, &chosen] {
        if (command->get_subcommands().empty())
            chosen = [command]() -> int {
                throw UsageError("what to do with the trace is missing (headroom trace --help says more)",
                    "headroom trace", commandsOf(*command));
            };
    });
}

} // namespace headroom::cli
