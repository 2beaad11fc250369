// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/EffectsReport.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/DistinctFiles.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/WorkspaceOption.h"
#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/report/formats/ReportFormat.h"
#include "experiments/report/reading/ReportReader.h"
#include "experiments/report/reading/TechniqueVariation.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace headroom::cli {

using namespace report;

namespace {

constexpr const char* kEffectsExamples =
    R"(An experiment in which techniques vary together shows what each does by itself and with the others: main effects and
pairwise interactions on the peak and on the step time. Best of a complete grid, in which every setting of each stands
beside every setting of the others; of others what can be said is said, and what is missing.

Examples:
  headroom effects
      of the newest experiment in headroom.db
  headroom run four-levers --workspace four.db && headroom effects four.db -o four.svg
      as tables and sentences, and as a picture
  headroom effects results.db --experiment four-levers --format json | jq '.interactions[].text'
  headroom effects --peak reserved

Exit codes: 0 done, 2 bad usage (an experiment in which no technique varies is), 5 a file cannot be read or written.)";

struct EffectsArguments {
    GivenWorkspace workspace;
    std::string experiment;
    std::string peak; ///< empty: what suits
    std::string picture; ///< a file; empty: none
    std::string format = "table";
};

UsageError withoutVariation(const std::string& experiment)
{
    return UsageError("no two trials of " + experiment + " differ in techniques alone", "--experiment",
        "an experiment that sweeps over techniques, as headroom run --casting off,e4m3 --checkpointing none,all");
}

std::vector<EffectGrid> gridsOf(const ReportContent& content, const Comparison& comparison)
{
    std::vector<EffectGrid> grids = effectGrids(comparison);
    if (grids.empty())
        throw withoutVariation(content.experiment);
    return grids;
}

void requirePicture(const std::string& file, const std::string& workspace)
{
    if (file.empty())
        return;
    if (!file.ends_with(".svg"))
        throw UsageError("found \"" + file + "\"", "--output", "FILE.svg");
    DistinctFiles files;
    files.keepWorkspace(workspace);
    files.write("--output", file);
}

int showEffects(const EffectsArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    const std::string path = workspacePath(arguments.workspace);
    requirePicture(arguments.picture, path);
    std::optional<EffectPeak> wanted;
    if (!arguments.peak.empty())
        wanted = effectPeakFromText(arguments.peak, "--peak");
    store::Workspace workspace = experiments::openForReading(path);
    const auto experiment = experiments::chooseExperiment(workspace, arguments.experiment, "--experiment");
    if (!anyTechniqueVaries(workspace, experiment.id))
        throw withoutVariation(experiment.name);
    experiments::DeviceFit deviceFit(config::resourceDirectory());
    const ReportContent content = readReport(workspace, experiment, deviceFit, Identity::Shown, Extent::Results);
    const Comparison comparison(content.trials);
    const std::vector<EffectGrid> grids = gridsOf(content, comparison);
    const EffectPeak peak = wanted.value_or(suitablePeak(grids));
    std::vector<Effects> effects;
    for (const EffectGrid& grid : grids)
        effects.push_back(effectsOf(grid, peak));
    print(effectsReport(content.experiment, effects, peak), format, std::cout);
    if (arguments.picture.empty())
        return 0;
    writeReportFile(arguments.picture, effectsPicture(content.experiment, effects));
    Console().line("picture of the effects written to " + arguments.picture);
    return 0;
}

} // namespace

void addEffectsCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand(
        "effects", "Show what each technique of an experiment changes, by itself and together with others");
    const auto arguments = std::make_shared<EffectsArguments>();
    addWorkspaceOptions(*command, arguments->workspace);
    addChosenExperimentOption(*command, arguments->experiment);
    command
        ->add_option("--peak", arguments->peak,
            "which peak: allocated, reserved, or needed (context and reserved memory, also of trials that run out); "
            "else "
            "allocated, or needed where trials ran out of memory")
        ->type_name("P")
        ->check(notEmpty);
    command->add_option("-o,--output", arguments->picture, "write the picture there, too; an existing file is replaced")
        ->type_name("FILE.svg")
        ->check(notEmpty);
    addFormatOption(*command, arguments->format);
    command->footer(kEffectsExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return showEffects(*arguments); }; });
}

} // namespace headroom::cli
