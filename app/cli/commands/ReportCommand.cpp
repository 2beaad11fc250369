// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/DistinctFiles.h"
#include "app/cli/output/WorkspaceOption.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "experiments/report/formats/ReportFormat.h"
#include "experiments/report/reading/ReportReader.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace headroom::cli {

using namespace report;

namespace {

constexpr const char* kReportExamples =
    R"(The file's extension determines the format:
  .html   for people: one file without any link to the network, to be sent around and printed
  .md     the same in words and tables, for issues and pull requests
  .csv    a row per trial with fixed columns (docs/contract.md)
  .json   the results document that headroom run --format json prints

Examples:
  headroom report -o report.html
      of the newest experiment in headroom.db
  headroom report results.db --experiment ltx-checkpointing -o ltx.md
  headroom report -o report.html --anonymous
      without names of machines and users, paths and addresses

Exit codes: 0 the report is written (also of trials that failed), 2 bad usage, 5 a file cannot be read or written.)";

struct ReportArguments {
    GivenWorkspace workspace;
    std::string experiment;
    std::string output;
    bool anonymous = false;
};

ReportFormat formatOf(const std::string& output)
{
    if (const auto format = formatOfFile(output))
        return *format;
    throw UsageError("found \"" + output + "\"", "--output", "FILE.html, FILE.md, FILE.csv, FILE.json");
}

int carryOutReport(const ReportArguments& arguments)
{
    const ReportFormat format = formatOf(arguments.output);
    const std::string path = workspacePath(arguments.workspace);
    DistinctFiles files;
    files.keepWorkspace(path);
    files.write("--output", arguments.output);
    store::Workspace workspace = experiments::openForReading(path);
    const auto experiment = experiments::chooseExperiment(workspace, arguments.experiment, "--experiment");
    experiments::DeviceFit deviceFit(config::resourceDirectory());
    const ReportContent content =
        readReport(workspace, experiment, deviceFit, arguments.anonymous ? Identity::Removed : Identity::Shown);
    writeReportFile(arguments.output, reportText(format, content, config::resourceDirectory()));
    Console().line(fmt::format("report of {} (experiment {}, {}) written to {}", content.experiment, content.number,
        counted(std::ssize(content.trials), "trial"), arguments.output));
    return 0;
}

} // namespace

void addReportCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("report", "Write a report of an experiment: HTML, Markdown, CSV or JSON");
    const auto arguments = std::make_shared<ReportArguments>();
    addWorkspaceOptions(*command, arguments->workspace);
    addChosenExperimentOption(*command, arguments->experiment);
    command->add_option("-o,--output", arguments->output, "the file to write; an existing one is replaced")
        ->type_name("FILE.html|.md|.csv|.json")
        ->required();
    command->add_flag(
        "--anonymous", arguments->anonymous, "leave out names of machines and users, paths, addresses and ids of GPUs");
    command->footer(kReportExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return carryOutReport(*arguments); }; });
}

} // namespace headroom::cli
