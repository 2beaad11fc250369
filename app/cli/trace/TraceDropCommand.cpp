// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/trace/TraceCommand.h"
#include "app/cli/trace/TraceSubject.h"
#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/archive/SpoolFiles.h"
#include "experiments/archive/StoredExperiment.h"
#include "profiling/store/workspace/Workspace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <set>

namespace headroom::cli {
namespace {

constexpr const char* kTraceDropExamples =
    R"(Results, samples and phases stay; timelines and what the peak consisted of in detail go.

Examples:
  headroom trace drop "checkpointing all"
      of the trial of that label, in every experiment that has it
  headroom trace drop 8c6d2097 98a0b43e --experiment sweep
      of two trials, in the newest experiment of that name
  headroom trace drop --all --experiment sweep sweep.db
      of all its trials; without --experiment, of the whole workspace
  headroom trace compact
      the file shrinks only then

Dropping needs some 160 KiB of free disk, whatever the size of the traces.

Exit codes: 0 done, 2 bad usage (no such trial), 5 the workspace cannot be read or written.)";

struct TraceDropArguments {
    std::vector<std::string> trials;
    GivenWorkspace workspace;
    std::string experiment;
    bool all = false;
};

void addDropped(store::DroppedTraces& sum, const store::DroppedTraces& dropped)
{
    sum.repeats += dropped.repeats;
    sum.bytes += dropped.bytes;
}

store::DroppedTraces dropAll(store::Workspace& workspace, const std::string& experiment)
{
    if (!experiment.empty())
        return workspace.dropExperimentTraces(experiments::chooseExperiment(workspace, experiment, "--experiment").id);
    store::DroppedTraces sum;
    for (const store::ExperimentRow& row : workspace.experiments())
        addDropped(sum, workspace.dropExperimentTraces(row.id));
    return sum;
}

// A label means a trial of the newest experiment, and the same trial in all other experiments.
std::set<std::int64_t> everywhere(
    store::Workspace& workspace, const std::vector<TrialChoice>& choices, const std::string& experiment)
{
    std::set<std::int64_t> trials;
    for (const TrialChoice& choice : choices)
        trials.insert(choice.trial.id);
    if (experiment.empty())
        for (const store::ExperimentRow& row : workspace.experiments())
            for (const store::TrialRow& trial : workspace.trials(row.id))
                if (trial.trialId == choices.front().trial.trialId)
                    trials.insert(trial.id);
    return trials;
}

// Looks up all names before dropping anything.
store::DroppedTraces dropChosen(store::Workspace& workspace, const TraceDropArguments& arguments)
{
    std::vector<std::int64_t> trials;
    for (const std::string& name : arguments.trials) {
        const auto choices = chooseTrial(workspace, {name, arguments.experiment, "TRIAL"});
        for (const std::int64_t trial : everywhere(workspace, choices, arguments.experiment))
            trials.push_back(trial);
    }
    store::DroppedTraces sum;
    for (const std::int64_t trial : trials)
        addDropped(sum, workspace.dropTrialTraces(trial));
    return sum;
}

// A user who wants to free space does not need the spools that killed runs left behind.
void clearLeftFiles(const std::string& path)
{
    if (const Bytes freed = experiments::removeLeftFiles(path); freed > 0)
        Console().line(fmt::format("{} of spools that killed runs have left beside {} removed", sizeText(freed), path));
}

int drop(TraceDropArguments arguments)
{
    takeWorkspace(arguments.trials, arguments.workspace);
    if (arguments.all != arguments.trials.empty())
        throw UsageError(arguments.all ? "found both trials and --all" : "found neither trials nor --all",
            "headroom trace drop", "one or more TRIAL, or --all");
    const std::string path = workspacePath(arguments.workspace);
    clearLeftFiles(path);
    store::Workspace workspace = store::Workspace::open(path, store::Access::ReadWrite);
    const store::DroppedTraces dropped =
        arguments.all ? dropAll(workspace, arguments.experiment) : dropChosen(workspace, arguments);
    if (dropped.repeats == 0)
        Console().line("there was no trace to drop");
    else
        Console().line(fmt::format("{} dropped, {} in {} free for new ones (headroom trace compact gives them back)",
            counted(dropped.repeats, "trace"), sizeText(dropped.bytes), path));
    return 0;
}

int compact(const GivenWorkspace& given)
{
    const std::string path = workspacePath(given);
    clearLeftFiles(path);
    store::Workspace workspace = store::Workspace::open(path, store::Access::ReadWrite);
    const store::CompactResult result = workspace.compact();
    Console().line(
        fmt::format("{}: {} before, {} now", path, sizeText(result.bytesBefore), sizeText(result.bytesAfter)));
    return 0;
}

} // namespace

void addTraceDropCommand(CLI::App& trace, Action& chosen)
{
    CLI::App* command = trace.add_subcommand("drop", "Remove traces from a workspace; results stay");
    const auto arguments = std::make_shared<TraceDropArguments>();
    command
        ->add_option("trials", arguments->trials,
            "ids, beginnings of ids, or labels; among them the workspace, a file or a name that ends in .db")
        ->type_name("TRIAL")
        ->check(notEmpty);
    addWorkspaceOption(*command, arguments->workspace);
    addExperimentOption(*command, arguments->experiment);
    command->add_flag("--all", arguments->all, "every trial")->disable_flag_override();
    command->footer(kTraceDropExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return drop(*arguments); }; });
}

void addTraceCompactCommand(CLI::App& trace, Action& chosen)
{
    CLI::App* command = trace.add_subcommand("compact", "Shrink a workspace by the space of dropped traces");
    const auto workspace = std::make_shared<GivenWorkspace>();
    addWorkspaceOptions(*command, *workspace);
    command->footer(
        "The file is written anew: as much room is needed beside it, while that lasts, as what stays in it\n"
        "takes. Where the disk is full, drop traces first.\n\n"
        "Exit codes: 0 done, 5 the workspace cannot be read or written, or is in use.");
    command->callback([workspace, &chosen] { chosen = [workspace] { return compact(*workspace); }; });
}

} // namespace headroom::cli
