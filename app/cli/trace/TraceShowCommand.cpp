// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/trace/NamedFile.h"
#include "app/cli/trace/TraceCommand.h"
#include "app/cli/trace/TraceReport.h"
#include "app/cli/trace/TraceSubject.h"
#include "core/base/Error.h"
#include "experiments/archive/StoredExperiment.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

namespace headroom::cli {
namespace {

constexpr std::size_t kDepth = 3;
constexpr std::size_t kWhole = std::numeric_limits<std::size_t>::max();

constexpr const char* kTraceShowExamples = R"(Examples:
  headroom trace show "cpu | baseline"
      the trial of that label in headroom.db
  headroom trace show baseline sweep.db
      in another workspace
  headroom trace show a3d85afb --by category --depth 4
      the trial whose id begins so: what each category's memory belongs to
  headroom trace show a3d85afb --by source --depth 1
      of an exported model: which lines of its Python source hold the memory
  headroom trace show a3d85afb --at 0.25 --format json
      what was in memory a quarter of a second into the trace, whole and exact
  headroom trace show "cpu | baseline" --against "cpu | checkpointing all"
      why one peaks above the other, by category and module, and phase by phase

Exit codes: 0 shown, 2 bad usage (no such trial, ambiguous, without a trace), 5 the workspace cannot be read.)";

struct TraceShowArguments {
    std::string trial;
    GivenWorkspace workspace;
    std::string experiment;
    std::string format = "table";
    std::string at = "peak";
    std::string by = "module";
    std::optional<std::size_t> depth;
    std::string against;
};

std::optional<std::int64_t> instantOf(const std::string& at)
{
    if (at == "peak")
        return std::nullopt;
    double seconds = 0;
    const auto [end, error] = std::from_chars(at.data(), at.data() + at.size(), seconds);
    if (error != std::errc() || end != at.data() + at.size() || !std::isfinite(seconds) || std::abs(seconds) > 1e9)
        throw UsageError("found \"" + at + "\"", "--at", "peak, or seconds since the start of the trace");
    return std::llround(seconds * 1e9);
}

// Tables show a few levels by default, formats for programs all of them.
TreeView viewOf(const TraceShowArguments& arguments, OutputFormat format)
{
    const auto grouping = trace::groupingFromText(arguments.by);
    if (!grouping)
        throw UsageError("found \"" + arguments.by + "\"", "--by",
            "module, category, technique, phase, source, frame, size, stream");
    const bool isForPeople = format == OutputFormat::Table || format == OutputFormat::Markdown;
    return {*grouping, arguments.depth.value_or(isForPeople ? kDepth : kWhole)};
}

int showTrace(const TraceShowArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    const TreeView view = viewOf(arguments, format);
    const std::optional<std::int64_t> instant = instantOf(arguments.at);
    refuseFile(arguments.trial, "TRIAL");
    store::Workspace workspace = experiments::openForReading(workspacePath(arguments.workspace));
    const TraceShowQuestion question{arguments.trial, arguments.experiment, arguments.against, instant, view.grouping};
    print(traceReport(findInTrace(workspace, question), view), format, std::cout);
    return 0;
}

void addTraceShowOptions(CLI::App& command, TraceShowArguments& arguments)
{
    addTrialOption(command, arguments.trial);
    addWorkspaceOptions(command, arguments.workspace);
    addExperimentOption(command, arguments.experiment);
    addFormatOption(command, arguments.format);
    command.add_option("--at", arguments.at, "peak (default), or seconds since the start of the trace")
        ->type_name("SECONDS|peak")
        ->check(notEmpty);
    command
        .add_option("--by", arguments.by,
            "module (default), category, technique, phase, source (lines of an exported model), frame (call stacks of "
            "recordings), size or stream (of blocks): what the tree begins with")
        ->type_name("G")
        ->check(notEmpty);
    command
        .add_option("--depth", arguments.depth, "levels of the tree (default 3; all of them in csv, json and jsonl)")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{100}));
    command.add_option("--against", arguments.against, "another trial: why one of the two peaks above the other")
        ->type_name("TRIAL")
        ->check(notEmpty);
}

} // namespace

void addTraceShowCommand(CLI::App& trace, Action& chosen)
{
    CLI::App* command = trace.add_subcommand("show", "What was in memory at the peak of a trial, and whose it was");
    const auto arguments = std::make_shared<TraceShowArguments>();
    addTraceShowOptions(*command, *arguments);
    command->footer(kTraceShowExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return showTrace(*arguments); }; });
}

} // namespace headroom::cli
