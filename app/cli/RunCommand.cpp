// SPDX-License-Identifier: Apache-2.0
#include "app/cli/RunCommand.h"

#include "app/cli/OutputFormat.h"
#include "app/cli/RunSession.h"
#include "core/config/Catalogue.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

namespace headroom::cli {
namespace {

constexpr const char* kExamples =
    R"(Commas separate the values of a sweep axis, in every flag. Flags win over the preset or file.

Examples:
  headroom run demo
      the preset "demo"; headroom presets lists them
  headroom run ffn-split --dry-run
      which trials it has, nothing is run
  headroom run --model ffn-stack-tiny --split-ffn off,2,4 --device cpu
      a sweep from flags alone
  headroom run ./sweep.toml --set workload.batch=1,2,4 --device sim:a100-80gb,sim:t4
      a file with another batch size and other devices
  headroom run ./sweep.toml --filter "split_ffn=4 device.name!=cpu" --format jsonl
      a part of it, one JSON record per line as trials finish
  headroom run ./sweep.toml --resume
      go on after an interruption; finished repeats are not run again

Exit codes: 0 all trials ended as they should (running out of memory is a result), 2 bad usage,
3 a trial failed or timed out, 4 a trial is not steady or not plausible, 5 a file could not be read or
written, 130 interrupted.)";

std::string flagOf(std::string key)
{
    std::replace(key.begin(), key.end(), '_', '-');
    return "--" + key;
}

// May be given several times, with one value each.
void addList(CLI::App& command, const std::string& flag, std::vector<std::string>& target, const char* type,
    const std::string& help, const char* group)
{
    command.add_option(flag, target, help)->type_name(type)->allow_extra_args(false)->group(group);
}

// An unset variable in a script must not change what is done.
std::string notEmpty(const std::string& value)
{
    return value.empty() ? "found \"\" (valid: a name or a path)" : std::string();
}

void addSweepOptions(CLI::App& command, RunArguments& arguments)
{
    addList(command, "--model", arguments.models, "M", "models to run (headroom models)", "Sweep");
    addList(command, "--device", arguments.devices, "D", "cpu, cuda:N, sim:NAME[@RUNTIME] (headroom devices)", "Sweep");
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        addList(command, flagOf(technique.key), arguments.techniques[technique.key], "NOTATION",
            technique.title + ": " + technique.validForms(), "Sweep");
    addList(command, "--set", arguments.assignments, "PATH=VALUE", "any setting of the spec: model.num_layers=2,4",
        "Sweep");
    command.add_option("--filter", arguments.filter, "only trials that meet PATH=VALUE,... or PATH!=VALUE,...")
        ->type_name("EXPR")
        ->group("Sweep");
    command
        .add_flag("--quick", arguments.quick,
            "1 warm-up step, 2 timed steps, 1 repeat, no wait for a steady state: a first look")
        ->group("Sweep");
}

void addExecutionOptions(CLI::App& command, RunArguments& arguments)
{
    command.add_flag("--dry-run", arguments.dryRun, "list the trials; nothing is run or written")->group("Execution");
    command.add_flag("--resume", arguments.resume, "continue the newest run of the same trials")->group("Execution");
    command.add_option("--timeout", arguments.timeoutSeconds, "most seconds that one repeat may take")
        ->type_name("SECONDS")
        ->group("Execution");
    command
        .add_flag("--trace", arguments.trace,
            "also record every allocation of one untimed step (simulated: of the whole run) in the workspace")
        ->group("Execution");
    CLI::Option* failFast =
        command.add_flag("--fail-fast", arguments.failFast, "stop at the first trial that fails")->group("Execution");
    command.add_flag("--keep-going", arguments.keepGoing, "go on after a trial that fails (default)")
        ->group("Execution")
        ->excludes(failFast);
}

void addOutputOptions(CLI::App& command, RunArguments& arguments)
{
    command
        .add_option("--workspace", arguments.workspace, "where results are kept (HEADROOM_WORKSPACE, else headroom.db)")
        ->type_name("FILE")
        ->check(notEmpty)
        ->group("Output");
    addFormatOption(command, arguments.format);
    command.get_option("--format")->group("Output");
    command.add_option("--events", arguments.events, "write the live event stream here, as JSON lines")
        ->type_name("FILE")
        ->check(notEmpty)
        ->group("Output");
}

} // namespace

void addRunCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("run", "Run a sweep of trials and print their memory and speed");
    const auto arguments = std::make_shared<RunArguments>();
    command->add_option("source", arguments->source, "a preset's name, or a spec file: FILE.toml or anything with a /")
        ->type_name("PRESET|FILE")
        ->check(notEmpty);
    addSweepOptions(*command, *arguments);
    addExecutionOptions(*command, *arguments);
    addOutputOptions(*command, *arguments);
    command->footer(kExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

} // namespace headroom::cli
