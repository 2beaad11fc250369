// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/trace/CompareReport.h"
#include "app/cli/trace/NamedFile.h"
#include "app/cli/trace/TraceCommand.h"
#include "app/cli/trace/TraceSubject.h"
#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/archive/StoredExperiment.h"
#include "experiments/comparison/ComparedRun.h"
#include "experiments/comparison/TrialPairs.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::ComparedRun;
using experiments::PairVerdict;
using experiments::ResultComparison;

namespace {

constexpr const char* kCompareExamples =
    R"(Lays results side by side: what became worse comes first.

Examples:
  headroom compare before.db after.db
      two workspaces, trial by trial
  headroom compare main.json headroom.db
      what a run printed (--format json or jsonl), and a workspace
  headroom compare "cpu | baseline" "cpu | checkpointing all"
      two trials of headroom.db
  headroom compare monday.pickle friday.pickle
      two recordings: what held the difference, by category, module and call stack

Exit codes: 0 nothing is worse, 1 something is, 2 bad usage, 4 something cannot be told, 5 a file cannot be read.)";

constexpr int kSomethingWorse = 1;
constexpr int kCannotTell = 4;

struct CompareArguments {
    std::string a;
    std::string b;
    std::string workspace;
    std::string experiment;
    std::string format = "table";
};

ComparedRun sideOf(
    const std::string& name, const char* where, const CompareArguments& arguments, experiments::DeviceFit& deviceFit)
{
    if (std::filesystem::is_regular_file(name))
        return experiments::runInFile(name, deviceFit);
    requireNamedFile(name, "a workspace, a result file or a recording");
    const std::string path = workspacePath(arguments.workspace);
    store::Workspace workspace = experiments::openForReading(path);
    for (const TrialChoice& choice : chooseTrial(workspace, {name, arguments.experiment, where}))
        if (ComparedRun found = experiments::runOfTrial(path, choice.experiment, choice.trial.trialId, deviceFit);
            !found.results.empty())
            return found;
    throw UsageError("the trial " + name + " has no result", where, "a trial that was run");
}

int compare(const CompareArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    experiments::DeviceFit deviceFit(config::resourceDirectory());
    const ComparedRun a = sideOf(arguments.a, "A", arguments, deviceFit);
    const ComparedRun b = sideOf(arguments.b, "B", arguments, deviceFit);
    ResultComparison comparison = experiments::compareResults(a.results, b.results);
    experiments::explainPeaks(comparison, a, b);
    print(compareReport(
              comparison, experiments::environmentDifferences(a.environment, b.environment), arguments.a, arguments.b),
        format, std::cout);
    if (comparison.hasVerdict(PairVerdict::Worse))
        return kSomethingWorse;
    return comparison.pairs.empty() || comparison.hasVerdict(PairVerdict::CannotTell) ? kCannotTell : 0;
}

} // namespace

void addCompareCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("compare", "Lay the results of two runs side by side");
    const auto arguments = std::make_shared<CompareArguments>();
    constexpr const char* kSide = "a workspace, a result file, a recording, or a trial of the workspace";
    command->add_option("a", arguments->a, kSide)->type_name("A")->required()->check(notEmpty);
    command->add_option("b", arguments->b, "the same, to be judged")->type_name("B")->required()->check(notEmpty);
    command->add_option("--workspace", arguments->workspace, "of trials (default headroom.db)")
        ->type_name("FILE")
        ->check(notEmpty);
    addExperimentOption(*command, arguments->experiment);
    addFormatOption(*command, arguments->format);
    command->footer(kCompareExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return compare(*arguments); }; });
}

} // namespace headroom::cli
