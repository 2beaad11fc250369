// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/Report.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/trace/TraceCommand.h"
#include "core/base/Quantities.h"
#include "core/base/ShellWords.h"
#include "core/base/Wording.h"
#include "experiments/recordings/RecordingImport.h"
#include "profiling/recordings/RecordingFile.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::ImportedExperiment;
using experiments::ImportedTrial;
using experiments::OrderedJson;

namespace {

constexpr const char* kTraceImportExamples =
    R"(What another program recorded becomes an experiment of the workspace, a trial for each device. The format is told by
the content; .gz is unpacked. Nothing in the file is executed.

  memory snapshots of PyTorch     torch.cuda.memory._dump_snapshot, the pages of its viewer
  traces of torch.profiler        profile(profile_memory=True).export_chrome_trace
  exports of Nsight Systems       nsys export --type sqlite
  Headroom's own exports          of each kind

Examples:
  headroom trace import snapshot.pickle
  headroom trace show snapshot --by frame
  headroom trace import oom.pickle.gz --workspace runs.db --name "run 7"
  headroom trace replay oom.pickle.gz --suggest

What is read of each format: docs/recordings.md.
Exit codes: 0 imported, 2 bad usage, 5 the file or the workspace cannot be read or written.)";

struct TraceImportArguments {
    std::string file;
    std::string workspace;
    std::string name;
    std::string format = "table";
};

OrderedJson peakJson(const ImportedTrial& trial)
{
    return {{"allocated_bytes", trial.peakAllocatedBytes},
        {"reserved_bytes", trial.peakReservedBytes ? OrderedJson(*trial.peakReservedBytes) : OrderedJson(nullptr)}};
}

OrderedJson trialJson(const ImportedTrial& trial)
{
    return {{"trial_id", trial.trialId}, {"label", trial.label}, {"device", trial.device},
        {"allocator", trial.allocator.empty() ? OrderedJson(nullptr) : OrderedJson(trial.allocator)},
        {"predicted", trial.isPredicted}, {"outcome", toText(trial.outcome)}, {"events", trial.events},
        {"peak", peakJson(trial)}};
}

Table trialTable(const ImportedExperiment& imported)
{
    Table table({{"trial"}, {"label"}, {"outcome"}, {"events", Alignment::Right}, {"peak allocated", Alignment::Right},
        {"peak reserved", Alignment::Right}, {"allocator"}});
    for (const ImportedTrial& trial : imported.trials)
        table.addRow({trial.trialId.substr(0, 8), trial.label, inWords(std::string(toText(trial.outcome))),
            grouped(trial.events), sizeText(trial.peakAllocatedBytes),
            trial.peakReservedBytes ? sizeText(*trial.peakReservedBytes) : "", trial.allocator});
    return table;
}

Report importReport(
    const ImportedExperiment& imported, const recordings::Recording& recording, const TraceImportArguments& arguments)
{
    Report report;
    report.document = {{"schema", "headroom.import/1"}, {"experiment", imported.name}, {"kind", "imported"},
        {"format", recording.format}, {"workspace", workspacePath(arguments.workspace)},
        {"trials", OrderedJson::array()}, {"remarks", imported.remarks}};
    for (const ImportedTrial& trial : imported.trials) {
        report.document["trials"].push_back(trialJson(trial));
        report.records.push_back(trialJson(trial));
    }
    std::string remarks;
    for (const std::string& remark : imported.remarks)
        remarks += (remarks.empty() ? "" : "\n") + remark;
    report.sections.push_back({imported.name, "", trialTable(imported), remarks});
    return report;
}

int importTrace(const TraceImportArguments& arguments, const std::string& commandLine)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    const std::string workspace = workspacePath(arguments.workspace);
    Console console;
    const recordings::Recording recording = recordings::readRecording(arguments.file,
        [&](double share) { console.status(fmt::format("reading {}: {}", arguments.file, progressText(share))); });
    console.status("writing " + workspace);
    const ImportedExperiment imported =
        experiments::importRecording(recording, {arguments.file, workspace, arguments.name, commandLine});
    console.clearStatus();
    print(importReport(imported, recording, arguments), format, std::cout);
    return 0;
}

std::string commandLineOf(const TraceImportArguments& arguments)
{
    std::vector<std::string> words{"headroom", "trace", "import", arguments.file};
    if (!arguments.name.empty())
        words.insert(words.end(), {"--name", arguments.name});
    return experiments::shellCommand(words);
}

} // namespace

void addTraceImportCommand(CLI::App& trace, Action& chosen)
{
    CLI::App* command = trace.add_subcommand("import", "Take in what another program recorded");
    const auto arguments = std::make_shared<TraceImportArguments>();
    command->add_option("file", arguments->file, "the recording")->type_name("FILE")->required()->check(notEmpty);
    command
        ->add_option("--workspace", arguments->workspace,
            "the workspace that takes it (default headroom.db); it is made where there is none")
        ->type_name("FILE")
        ->check(notEmpty);
    command->add_option("--name", arguments->name, "of the experiment (default: the file's)")
        ->type_name("N")
        ->check(notEmpty);
    addFormatOption(*command, arguments->format);
    command->footer(kTraceImportExamples);
    command->callback(
        [arguments, &chosen] { chosen = [arguments] { return importTrace(*arguments, commandLineOf(*arguments)); }; });
}

} // namespace headroom::cli
