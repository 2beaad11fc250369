// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Console.h"
#include "app/cli/output/DistinctFiles.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/trace/TraceCommand.h"
#include "app/cli/trace/TraceSubject.h"
#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "experiments/archive/StoredExperiment.h"
#include "profiling/interchange/ExportFormat.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace headroom::cli {
namespace {

constexpr const char* kTraceExportExamples =
    R"(Formats:
  pytorch-snapshot   memory snapshot (pickle): drop it on pytorch.org/memory_viz, which draws it in the browser
  chrome             trace events (JSON): ui.perfetto.dev, chrome://tracing
  nsys               SQLite in the tables of Nsight Systems: for scripts and queries written for its exports

Examples:
  headroom trace export "cpu | baseline" --as pytorch-snapshot -o baseline.pickle
  headroom trace export 8c6d2097 --as chrome -o step.json
  headroom trace export "cpu | baseline" --as nsys -o step.sqlite

What maps to what, and what each format cannot carry: docs/interchange.md.
Exit codes: 0 the file is written, 2 bad usage, 5 a file cannot be read or written.)";

struct TraceExportArguments {
    std::string trial;
    GivenWorkspace workspace;
    std::string experiment;
    std::string output;
    std::string format;
    std::size_t width = 0; ///< 0: not given
};

void tell(const TraceSubject& subject, const interchange::ExportSummary& summary, const std::string& output)
{
    Console console;
    console.line(fmt::format("trace of {} (trial {}{}) written to {}: {}, {}", subject.trial.label,
        subject.trial.trialId.substr(0, 8), subject.trial.predicted ? ", predicted" : "", output, summary.contents,
        sizeText(static_cast<Bytes>(summary.bytes))));
    for (const std::string& note : summary.notes)
        console.line("note: " + note);
}

int exportTrace(const TraceExportArguments& arguments)
{
    const auto format = interchange::exportFormatFromText(arguments.format, "--as");
    const std::string path = workspacePath(arguments.workspace);
    DistinctFiles files;
    files.keepWorkspace(path);
    files.write("--output", arguments.output);
    if (arguments.width > 0 && format != interchange::ExportFormat::Chrome)
        throw UsageError("only counters of a Chrome trace have a width", "--width", "--as chrome");
    store::Workspace workspace = experiments::openForReading(path);
    const TraceSubject subject = chooseTrace(workspace, {arguments.trial, arguments.experiment, "TRIAL"});
    const interchange::RecordedTrace trace(workspace, subject.experiment, subject.trial, subject.repeat);
    interchange::ExportOptions options;
    if (arguments.width > 0)
        options.width = arguments.width;
    tell(subject, interchange::exportTrace(trace, format, arguments.output, options), arguments.output);
    return 0;
}

void addTraceExportOptions(CLI::App& command, TraceExportArguments& arguments)
{
    addTrialOption(command, arguments.trial);
    command.add_option("-o,--output", arguments.output, "the file to write; an existing one is replaced")
        ->type_name("FILE")
        ->required()
        ->check(notEmpty);
    command.add_option("--as", arguments.format, "pytorch-snapshot, chrome, nsys")
        ->type_name("FORMAT")
        ->required()
        ->check(notEmpty);
    addWorkspaceOptions(command, arguments.workspace);
    addExperimentOption(command, arguments.experiment);
    command
        .add_option("--width", arguments.width,
            "of a Chrome trace: summarise each counter to N stretches of time (else every change, up to 250,000 "
            "events)")
        ->type_name("N")
        ->check(CLI::Range(2, 10'000'000));
}

} // namespace

void addTraceExportCommand(CLI::App& trace, Action& chosen)
{
    CLI::App* command = trace.add_subcommand("export", "Write a trace as a file that other programs read");
    const auto arguments = std::make_shared<TraceExportArguments>();
    addTraceExportOptions(*command, *arguments);
    command->footer(kTraceExportExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return exportTrace(*arguments); }; });
}

} // namespace headroom::cli
