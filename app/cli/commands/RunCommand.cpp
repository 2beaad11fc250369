// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/WorkloadFlags.h"
#include "app/cli/run/RunSession.h"
#include "core/config/catalogue/Catalogue.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

namespace headroom::cli {
namespace {

constexpr const char* kRunExamples =
    R"(Commas separate the values of a sweep axis, in every flag. Flags win over the preset or file.

Examples:
  headroom run demo
      the preset "demo"; headroom presets lists them
  headroom run ffn-split --dry-run
      which trials it has, nothing is run
  headroom run --model ffn-stack-tiny --split-ffn off,2,4 --device cpu
      a sweep from flags alone
  headroom run ./sweep.toml --batch 1,2,4 --device sim:a100-80gb,sim:t4
      a file with other batch sizes and devices
  headroom run --model llama-3-8b --trainable lora:16 --checkpointing none,all --sequence-length 2048 \
               --device sim:rtx4090
      what asks for training is trained, in the dtype of the model's weights, unless --step and --dtype say otherwise
  headroom run ./sweep.toml --filter "split_ffn=4 device.name!=cpu" --format jsonl
      a part of it, one JSON record per line as trials finish
  headroom run ./sweep.toml --resume
      go on after an interruption; finished repeats are not run again
  headroom run ./sweep.toml --budgets budgets.toml --junit junit.xml
      in CI: exit code 1 when a budget is exceeded

Exit codes:
  0  every trial ended as an outcome should (running out of memory is one), every budget held
  1  a budget is exceeded
  2  bad usage or spec, nothing was run
  3  a trial failed, crashed or timed out
  4  a result is not usable: not steady, not plausible, or a budget cannot be decided
  5  a file cannot be read or written, or another run is at what --resume would continue
  130  interrupted; --resume goes on)";

// "STEP", "DTYPE", "N", "true|false"
std::string typeNameOf(const config::Field& field)
{
    if (field.type == config::FieldType::Boolean)
        return "true|false";
    std::string name = field.type == config::FieldType::Integer ? "n" : field.name;
    std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    return name;
}

// The options of one group of the help text.
class OptionGroup {
public:
    OptionGroup(CLI::App& command, const char* name)
        : m_command(command)
        , m_name(name)
    {
    }

    template <typename T> void value(const std::string& flag, T& target, const char* type, const std::string& help)
    {
        m_command.add_option(flag, target, help)->type_name(type)->check(notEmpty)->group(m_name);
    }

    // An option whose value may be empty.
    void text(const std::string& flag, std::string& target, const char* type, const std::string& help)
    {
        m_command.add_option(flag, target, help)->type_name(type)->check(noOption)->group(m_name);
    }

    // An option that may be given several times, with one value each time.
    void list(const std::string& flag, std::vector<std::string>& target, const char* type, const std::string& help)
    {
        m_command.add_option(flag, target, help)
            ->type_name(type)
            ->allow_extra_args(false)
            ->check(noOption)
            ->group(m_name);
    }

    void flag(const std::string& flag, bool& target, const std::string& help)
    {
        m_command.add_flag(flag, target, help)->disable_flag_override()->group(m_name);
    }

private:
    CLI::App& m_command;
    const char* m_name;
};

} // namespace

void addSweepOptions(CLI::App& command, RunArguments& arguments)
{
    command.add_option("source", arguments.source, "a preset's name, or a spec file (with a / or ending in .toml)")
        ->type_name("PRESET|FILE")
        ->check(notEmpty);
    OptionGroup group(command, "What is run");
    group.list("--model", arguments.models, "M",
        "models (headroom models lists them), configuration files, exported models (FILE.pt2)");
    group.list("--device", arguments.devices, "D", "cpu, cuda:N, sim:NAME[@RUNTIME] (headroom devices)");
    group.list("--allocator", arguments.allocators, "CONF",
        "settings as in PYTORCH_ALLOC_CONF, or default; given several times: an axis (one value each, with its "
        "commas)");
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        group.list(flagOf(technique.key), arguments.techniques[technique.key], "NOTATION",
            technique.title + ": " + technique.validForms());
    for (const config::Field& field : workloadFlagFields())
        group.list(flagOf(field.name), arguments.workload[field.name], typeNameOf(field).c_str(), field.help);
    group.list("--set", arguments.assignments, "PATH=VALUE", "any setting of the spec: model.num_layers=2,4");
    group.flag("--quick", arguments.quick,
        "1 warm-up step, 2 timed steps, 1 repeat, no wait for a steady state: a first look");
    group.text("--filter", arguments.filter, "EXPR", "only trials that meet PATH=VALUE,... or PATH!=VALUE,...");
    group.value("--shard", arguments.shard, "I/N", "only part I of N (after --filter), to share a sweep out");
}

namespace {

void addExecutionOptions(CLI::App& command, RunArguments& arguments)
{
    OptionGroup group(command, "How it is run");
    group.flag("--dry-run", arguments.dryRun, "list the trials; nothing is run or written");
    group.flag("--resume", arguments.resume, "go on with the newest run of the same trials");
    group.value("--timeout", arguments.timeoutSeconds, "SECONDS", "most seconds that one repeat may take");
    group.value("--jobs", arguments.jobs, "J", "simulated trials side by side (one for each core)");
    group.flag("--trace", arguments.trace, "record every allocation, in steps that are not timed");
    group.text(
        "--trace-filter", arguments.traceFilter, "EXPR", "--trace, of the trials alone that meet it (as --filter)");
    group.flag(
        "--trace-kernels", arguments.traceKernels, "with --trace on cuda:N: kernels and copies with their times, too");
    group.value("--trace-limit", arguments.traceLimit, "SIZE",
        "most room for all traces of the workspace (2GiB); the oldest of other runs go first");
    group.flag("--fail-fast", arguments.failFast, "stop at the first trial that fails");
    group.flag("--keep-going", arguments.keepGoing, "go on after a trial that fails (default)");
}

void addOutputOptions(CLI::App& command, RunArguments& arguments)
{
    OptionGroup group(command, "Results");
    group.value(
        "--workspace", arguments.workspace, "FILE", "where results are kept (else HEADROOM_WORKSPACE, headroom.db)");
    addFormatOption(command, arguments.format);
    command.get_option("--format")->group("Results");
    group.value("--events", arguments.events, "FILE", "write events as they happen, as JSON lines");
}

void addCheckOptions(CLI::App& command, RunArguments& arguments)
{
    OptionGroup group(command, "Checks, for CI (docs/ci.md)");
    group.value("--budgets", arguments.budgets, "FILE", "limits on memory, speed and deviation, as TOML");
    group.value("--junit", arguments.junit, "FILE", "write each trial as a test case of JUnit XML");
    group.value("--summary", arguments.summary, "FILE", "append a summary in Markdown ($GITHUB_STEP_SUMMARY)");
}

} // namespace

void addRunCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("run", "Run a sweep of trials and print their memory and speed");
    const auto arguments = std::make_shared<RunArguments>();
    addSweepOptions(*command, *arguments);
    addExecutionOptions(*command, *arguments);
    addOutputOptions(*command, *arguments);
    addCheckOptions(*command, *arguments);
    command->footer(kRunExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

} // namespace headroom::cli
