// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/SignalWatcher.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/rehearse/LastCards.h"
#include "app/cli/rehearse/RehearsePlan.h"
#include "app/cli/rehearse/RehearseReport.h"
#include "app/cli/rehearse/RehearsedRows.h"
#include "app/cli/run/RunOutputs.h"
#include "app/cli/run/RunSession.h"
#include "app/cli/run/RunVerdict.h"
#include "core/config/Installation.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <memory>

namespace headroom::cli {
namespace {

constexpr const char* kRehearseExamples =
    R"(Runs a training script, as it is, on a card that is not there: PyTorch's own CUDA code and allocator over a substitute
for the CUDA runtime. No GPU, no driver, nothing installed into the script's Python. Kernels compute nothing, so the
figures are those of a rehearsal: memory as it would be, no speed, no losses.

What the script writes is thrown away and the network ends at this machine (--writes real, --network let it out). It is
ended after --steps steps of its optimizer, as by a loss of power; --steps 0 lets it evaluate, save and end.

Examples:
  headroom rehearse --device rtx4090 -- python train.py
      does it fit 24 GB, what is held at the peak and by which lines
  headroom rehearse --device rtx4090,a100-40gb,h100-80gb -- accelerate launch train.py
      the smallest of three cards that is enough
  headroom rehearse --device rtx4090 --fill batch=1..64 -- python train.py --batch {batch}
      the largest batch
  headroom rehearse --axis lora=8,64 --allocator expandable_segments:True -- python train.py {lora}
      a row for each value, under another setting of the allocator
  headroom rehearse --device h100-80gb --gpus 8 --ranks 0,7 -- torchrun --nproc-per-node 8 train.py
      two of eight ranks; the others are answered for
  headroom rehearse --device rtx4090 --budgets budgets.toml --junit junit.xml -- python train.py
      for CI: fails when it no longer fits its card

Exit codes:
  0  it fits, or is tight
  1  it does not fit, a budget is missed, or nothing of --fill fits
  2  bad usage
  3  the command failed, timed out, or called what cannot be rehearsed
  4  not known: no step was seen, or a size depends on a value that was not computed
  5  a file cannot be read or written
  130  interrupted
of several rows the worst of 3 and 4, else 0.)";

void report(RehearsedRows& rows, const RehearseArguments& arguments, RehearseOutcome& outcome, Console& console,
    const std::stop_token& stop)
{
    const experiments::RunSummary summary = rows.end();
    for (const std::string& remark : rows.remarks())
        console.line(remark);
    printBudgets(summary, console);
    RunArguments files;
    files.junit = arguments.junit;
    files.summary = arguments.summary;
    ObserverGroup none;
    RunOutputs outputs(files, none, stop);
    const FinishedRun run{
        rows.results(), summary, "", workspacePath(arguments.workspace), arguments.junit, "", "rehearse"};
    if (const auto error = outputs.write(run, console))
        throw FileError(*error);
    experiments::RunSummary ofBudgets; // what a trial's end says is the row's to say
    ofBudgets.budgets = summary.budgets;
    outcome.budgetExitCode = ofBudgets.exitCode();
}

int rehearse(const RehearseArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    const simulator::ProfileCatalogue cards(config::resourceDirectory());
    const RehearsePlan plan = rehearsePlan(arguments, cards);
    std::stop_source stop;
    Console console;
    SignalWatcher signals([&stop] { stop.request_stop(); });
    RehearsalEvents events(arguments.events, stop.get_token());
    RehearsedRows rows(plan, workspacePath(arguments.workspace), typedCommandLine(), events, stop.get_token());
    RehearseOutcome outcome;
    outcome.command = arguments.command;
    rows.run(static_cast<std::size_t>(arguments.jobs), console);
    outcome.isInterrupted = stop.stop_requested();
    outcome.rows = rows.rows();
    outcome.question = plan.fill ? RehearseOutcome::Question::LargestValue
        : rows.asksForCard()     ? RehearseOutcome::Question::SmallestCard
                                 : RehearseOutcome::Question::Rows;
    outcome.answer = rows.answer();
    report(rows, arguments, outcome, console, stop.get_token());
    events.close();
    if (!arguments.devices.empty())
        keepLastCards(arguments.devices);
    print(rehearseReport(outcome), format, std::cout);
    return outcome.exitCode();
}

// The help says in words what a number may be.
CLI::Validator unnamed(CLI::Validator check)
{
    return check.description("");
}

void addWhat(CLI::App& command, RehearseArguments& arguments)
{
    command.add_option("command", arguments.command, "the command, behind --")->type_name("COMMAND...")->required();
    command
        .add_option("--device", arguments.devices,
            "cards by name, as headroom devices lists them (default: those of last time)")
        ->type_name("CARD")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(notEmpty);
    command
        .add_option("--steps", arguments.steps,
            "steps of the optimizer after which it is ended (default 3; 0: it ends by itself)")
        ->type_name("N")
        ->check(unnamed(CLI::NonNegativeNumber));
    command
        .add_option("--gpus", arguments.gpus,
            "GPUs of a node, each with a rank of its own (default 1); more than 16 without --nodes: nodes of 8")
        ->type_name("N")
        ->check(unnamed(CLI::Range(1, 65536)));
    command.add_option("--nodes", arguments.nodes, "nodes with so many GPUs each (default 1)")
        ->type_name("M")
        ->check(unnamed(CLI::Range(1, 65536)));
    command.add_option("--ranks", arguments.ranks, "ranks that are rehearsed (default 0)")
        ->type_name("R,R")
        ->delimiter(',')
        ->allow_extra_args(false);
    command.add_flag("--no-ranks", arguments.noRanks, "one process that sees all GPUs, as for device_map=\"auto\"");
    command.add_option("--axis", arguments.axes, "values for {NAME} in the command; may be given several times")
        ->type_name("NAME=V,V")
        ->allow_extra_args(false)
        ->check(notEmpty);
    command.add_option("--fill", arguments.fill, "the largest {NAME} that fits")
        ->type_name("NAME=LOW..HIGH")
        ->check(notEmpty);
    command
        .add_option("--allocator", arguments.allocators,
            "settings of PyTorch's allocator, as PYTORCH_ALLOC_CONF; may be given several times")
        ->type_name("CONF")
        ->allow_extra_args(false)
        ->check(notEmpty);
    command
        .add_option("--assume", arguments.assume,
            "what a shape that depends on computed numbers becomes: all, none or balanced (default)")
        ->type_name("A")
        ->check(notEmpty);
}

void addHow(CLI::App& command, RehearseArguments& arguments)
{
    command
        .add_option("--writes", arguments.writes, "discard (default): what the command writes is thrown away; or real")
        ->type_name("W")
        ->check(notEmpty);
    command.add_flag("--network", arguments.network, "let the command reach the network");
    command.add_option("--timeout", arguments.timeoutSeconds, "of each row (default: none)")
        ->type_name("SECONDS")
        ->check(unnamed(CLI::PositiveNumber));
    command.add_option("--jobs", arguments.jobs, "rows side by side (default 1)")
        ->type_name("J")
        ->check(unnamed(CLI::Range(1, 256)));
    command.add_option("--workspace", arguments.workspace, "the workspace that takes the trials (default headroom.db)")
        ->type_name("FILE")
        ->check(notEmpty);
    command.add_option("--events", arguments.events, "write what happens as it happens, as JSON lines")
        ->type_name("FILE")
        ->check(notEmpty);
    command.add_option("--budgets", arguments.budgets, "limits on memory, as TOML")->type_name("FILE")->check(notEmpty);
    command.add_option("--junit", arguments.junit, "write each trial as a test case of JUnit XML")
        ->type_name("FILE")
        ->check(notEmpty);
    command.add_option("--summary", arguments.summary, "append a summary in Markdown ($GITHUB_STEP_SUMMARY)")
        ->type_name("FILE")
        ->check(notEmpty);
    addFormatOption(command, arguments.format);
}

} // namespace

void addRehearseCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command =
        app.add_subcommand("rehearse", "Run a training script on a card that is not there: does it fit?");
    const auto arguments = std::make_shared<RehearseArguments>();
    addWhat(*command, *arguments);
    addHow(*command, *arguments);
    command->footer(kRehearseExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return rehearse(*arguments); }; });
}

} // namespace headroom::cli
