// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ReportCommand.h"

#include "app/cli/OptionChecks.h"
#include "app/cli/RunSession.h"
#include "core/config/Error.h"
#include "core/config/Installation.h"
#include "experiments/Wording.h"
#include "experiments/report/ReportFile.h"
#include "experiments/report/ReportFormat.h"
#include "experiments/report/ReportReader.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

namespace headroom::cli {

using namespace report;

namespace {

namespace fs = std::filesystem;

constexpr const char* kReportExamples =
    R"(The ending of the file decides what it is:
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
    std::string workspace;
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

void refuseReportOver(const std::string& workspace, const std::string& output)
{
    std::error_code absent;
    if (fs::equivalent(workspace, output, absent))
        throw UsageError("\"" + output + "\" is the workspace itself", "--output", "another file");
}

int carryOutReport(const ReportArguments& arguments)
{
    const ReportFormat format = formatOf(arguments.output);
    const std::string path = workspacePath(arguments.workspace);
    refuseReportOver(path, arguments.output);
    store::Workspace workspace = experiments::openForReading(path);
    const auto experiment = experiments::chooseExperiment(workspace, arguments.experiment, "--experiment");
    experiments::DeviceFit deviceFit(config::resourceDirectory());
    const ReportContent content =
        readReport(workspace, experiment, deviceFit, arguments.anonymous ? Identity::Removed : Identity::Shown);
    writeReportFile(arguments.output, reportText(format, content, config::resourceDirectory()));
    std::cerr << "report of " << content.experiment << " (experiment " << content.number << ", "
              << experiments::counted(std::ssize(content.trials), "trial") << ") written to " << arguments.output
              << '\n';
    return 0;
}

} // namespace

void addReportCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("report", "Write a report of an experiment: HTML, Markdown, CSV or JSON");
    const auto arguments = std::make_shared<ReportArguments>();
    command
        ->add_option("workspace", arguments->workspace, "where results are kept (HEADROOM_WORKSPACE, else headroom.db)")
        ->type_name("WORKSPACE")
        ->check(notEmpty);
    command
        ->add_option(
            "--experiment", arguments->experiment, "name (the newest of it) or number; else the newest experiment")
        ->type_name("E")
        ->check(notEmpty);
    command->add_option("-o,--output", arguments->output, "the file to write; one that is there is replaced")
        ->type_name("FILE.html|.md|.csv|.json")
        ->required();
    command->add_flag(
        "--anonymous", arguments->anonymous, "leave out names of machines and users, paths, addresses and ids of GPUs");
    command->footer(kReportExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return carryOutReport(*arguments); }; });
}

} // namespace headroom::cli
