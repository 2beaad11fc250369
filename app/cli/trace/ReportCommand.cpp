// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Console.h"
#include "app/cli/output/DistinctFiles.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/trace/ComparedSides.h"
#include "app/cli/trace/TraceCommand.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "experiments/comparison/ComparedSection.h"
#include "experiments/report/formats/ReportFormat.h"
#include "experiments/report/reading/Redaction.h"
#include "experiments/report/reading/ReportReader.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace headroom::cli {

using namespace report;

namespace {

constexpr const char* kReportExamples =
    R"(The file's extension determines the format:
  .html   for people: one file without any link to the network, to be sent around and printed; of more than 1,000
          trials it shows so many, and FILE.trials.csv beside it has all of them
  .md     the same in words and tables, for issues and pull requests
  .csv    a row per trial with fixed columns (docs/contract.md)
  .json   the results document that headroom run --format json prints

Examples:
  headroom report -o report.html
      of the newest experiment in headroom.db
  headroom report results.db --experiment ltx-checkpointing -o ltx.md
  headroom report -o report.html --compare "cpu | baseline" "cpu | checkpointing all"
      with these two beside each other: over time, at their peaks, in their settings
  headroom report -o report.html --anonymous
      without names of machines and users, paths and addresses

Exit codes: 0 the report is written (also of trials that failed), 2 bad usage, 5 a file cannot be read or written.)";

struct ReportArguments {
    GivenWorkspace workspace;
    std::string experiment;
    std::string output;
    std::vector<std::string> compared;
    std::string align;
    bool anonymous = false;
};

ReportFormat formatOf(const std::string& output)
{
    if (const auto format = formatOfFile(output))
        return *format;
    throw UsageError("found \"" + output + "\"", "--output", "FILE.html, FILE.md, FILE.csv, FILE.json");
}

constexpr int kMostCompared = 6; // as many as there are colours of series

void requireComparable(const ReportArguments& arguments, ReportFormat format)
{
    if (arguments.compared.empty() && !arguments.align.empty())
        throw UsageError("nothing is compared", "--align", "--compare A B beside it");
    if (!arguments.compared.empty() && format != ReportFormat::Html && format != ReportFormat::Markdown)
        throw UsageError("found " + arguments.output + ", whose form has no place for it", "--compare",
            "-o FILE.html or FILE.md; headroom compare --format json or csv has the figures");
}

std::vector<experiments::NamedRun> comparedRuns(
    const ReportArguments& arguments, const std::string& workspace, experiments::DeviceFit& deviceFit)
{
    std::vector<experiments::NamedRun> runs;
    for (const std::string& name : arguments.compared)
        runs.push_back({name, comparedSide(name, "--compare", {workspace, ""}, deviceFit)});
    return runs;
}

std::vector<ComparedRuns> comparedSectionsOf(
    const std::vector<experiments::NamedRun>& runs, std::optional<figures::Alignment> wish)
{
    std::vector<ComparedRuns> sections = experiments::comparedSections(runs, wish);
    if (sections.empty())
        throw UsageError("no trial of " + runs.front().name + " is in the others", "--compare",
            "two or more trials or recordings, or workspaces with the same trials");
    return sections;
}

// What is compared may have run on another machine than the experiment.
std::vector<ComparedRuns> anonymousSections(std::vector<experiments::NamedRun> runs,
    const experiments::StoredExperiment& experiment, std::optional<figures::Alignment> wish)
{
    Redaction redaction(experiment);
    for (const experiments::NamedRun& run : runs)
        redaction.learn(run.run.environment);
    for (experiments::NamedRun& run : runs) {
        run.name = std::filesystem::path(run.name).filename().string();
        run.run.environment = redaction.environment(run.run.environment);
    }
    std::vector<ComparedRuns> sections = comparedSectionsOf(runs, wish);
    for (ComparedRuns& section : sections)
        redaction.apply(section);
    return sections;
}

void addCompared(ReportContent& content, const ReportArguments& arguments, store::Workspace& workspace,
    const store::ExperimentRow& experiment, experiments::DeviceFit& deviceFit)
{
    if (arguments.compared.empty())
        return;
    const auto wish = alignmentOf(arguments.align);
    std::vector<experiments::NamedRun> runs = comparedRuns(arguments, workspacePath(arguments.workspace), deviceFit);
    content.compared = arguments.anonymous
        ? anonymousSections(std::move(runs), experiments::readExperiment(workspace, experiment), wish)
        : comparedSectionsOf(runs, wish);
}

int carryOutReport(const ReportArguments& arguments)
{
    const ReportFormat format = formatOf(arguments.output);
    requireComparable(arguments, format);
    const std::string path = workspacePath(arguments.workspace);
    DistinctFiles files;
    files.keepWorkspace(path);
    files.write("--output", arguments.output);
    if (format == ReportFormat::Html)
        files.write("the file of trials beside --output", trialsFileBeside(arguments.output).string());
    store::Workspace workspace = experiments::openForReading(path);
    const auto experiment = experiments::chooseExperiment(workspace, arguments.experiment, "--experiment");
    experiments::DeviceFit deviceFit(config::resourceDirectory());
    const bool isForPeople = format == ReportFormat::Html || format == ReportFormat::Markdown;
    ReportContent content = readReport(workspace, experiment, deviceFit,
        arguments.anonymous ? Identity::Removed : Identity::Shown, isForPeople ? Extent::Whole : Extent::Results);
    addCompared(content, arguments, workspace, experiment, deviceFit);
    writeReport(arguments.output, format, content, config::resourceDirectory());
    Console console;
    console.line(fmt::format("report of {} (experiment {}, {}) written to {}", content.experiment, content.number,
        counted(std::ssize(content.trials), "trial"), arguments.output));
    if (needsTrialsFile(format, content))
        console.line(fmt::format("note: it shows {} of the trials; all of them are in {}",
            grouped(std::int64_t{kMostRows}), trialsFileBeside(arguments.output).string()));
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
    command
        ->add_option("--compare", arguments->compared,
            "lay trials or recordings over each other, the first beside each other one (at most 6)")
        ->type_name("A B")
        ->expected(2, kMostCompared)
        ->check(notEmpty);
    addAlignOption(*command, arguments->align);
    command->footer(kReportExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return carryOutReport(*arguments); }; });
}

} // namespace headroom::cli
