// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/SizeArgument.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/trace/CompareReport.h"
#include "app/cli/trace/ComparedSides.h"
#include "app/cli/trace/TraceCommand.h"
#include "app/cli/trace/TraceSubject.h"
#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/comparison/ComparedRun.h"
#include "experiments/comparison/PairsOverTime.h"
#include "experiments/comparison/TrialPairs.h"
#include "experiments/results/OrderedJson.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace headroom::cli {

using experiments::ComparedRun;
using experiments::PairVerdict;
using experiments::ResultComparison;
using experiments::TrialPair;

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
  headroom compare last-week.json today.json --tolerance 2%
      fails where a peak grew or a speed fell by more than 2 %
  headroom compare monday.pickle friday.pickle
      two recordings: how far they are apart over time, and what held the difference at the peaks, by category, module
      and call stack

Exit codes: 0 nothing is worse, 1 something is, 2 bad usage, 4 something cannot be told, 5 a file cannot be read.)";

constexpr std::size_t kStretches = 240; ///< of the time that is compared
constexpr int kSomethingWorse = 1;
constexpr int kCannotTell = 4;
constexpr double kMostTolerance = 1;

struct CompareArguments {
    std::string a;
    std::string b;
    std::string workspace;
    std::string experiment;
    std::string align;
    std::string tolerance;
    std::string format = "table";
};

// A wish that no pair can have is refused; where others have it, each pair's answer says how it was aligned.
void requireWish(const ResultComparison& comparison, std::optional<figures::Alignment> wish)
{
    if (!wish)
        return;
    const auto isGranted = [&](const TrialPair& pair) { return pair.overTime && pair.overTime->alignment == *wish; };
    if (std::ranges::none_of(comparison.pairs, &TrialPair::hasTraces))
        throw UsageError("no trial has a trace on both sides", "--align", "runs with --trace, or recordings");
    if (std::ranges::none_of(comparison.pairs, isGranted))
        throw UsageError("the traces do not have the same " + experiments::toText(*wish) + "s", "--align",
            "start, share, or nothing: the best that is possible");
}

int compare(const CompareArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    experiments::DeviceFit deviceFit(config::resourceDirectory());
    const TrialPlace place{workspacePath(arguments.workspace), arguments.experiment};
    const auto wish = alignmentOf(arguments.align);
    const std::optional<double> tolerance = arguments.tolerance.empty()
        ? std::nullopt
        : std::optional(shareFromText(arguments.tolerance, "--tolerance", kMostTolerance));
    ComparedRun a = comparedSide(arguments.a, "A", place, deviceFit);
    ComparedRun b = comparedSide(arguments.b, "B", place, deviceFit);
    ResultComparison comparison = experiments::compareResults(std::move(a.results), std::move(b.results), tolerance);
    experiments::explainPeaks(comparison, a, b);
    experiments::layOverTime(comparison, a, b, wish, kStretches);
    requireWish(comparison, wish);
    Report report = compareReport(
        comparison, experiments::environmentDifferences(a.environment, b.environment), arguments.a, arguments.b);
    report.document["tolerance"] = tolerance ? experiments::OrderedJson(*tolerance) : nullptr;
    print(report, format, std::cout);
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
    addAlignOption(*command, arguments->align);
    command
        ->add_option("--tolerance", arguments->tolerance,
            "what peaks and speeds may differ by (default 0.05%, of measured speeds their scatter); with it, a gain in "
            "one "
            "does not excuse the other")
        ->type_name("X%")
        ->check(notEmpty);
    addFormatOption(*command, arguments->format);
    command->footer(kCompareExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return compare(*arguments); }; });
}

} // namespace headroom::cli
