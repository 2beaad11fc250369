// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/ComparedSides.h"

#include "app/cli/output/OptionChecks.h"
#include "app/cli/trace/NamedFile.h"
#include "app/cli/trace/TraceSubject.h"
#include "core/base/Error.h"
#include "experiments/archive/StoredExperiment.h"
#include "experiments/comparison/PairsOverTime.h"

#include <CLI/CLI.hpp>

#include <filesystem>

namespace headroom::cli {

experiments::ComparedRun comparedSide(
    const std::string& name, const std::string& where, const TrialPlace& place, experiments::DeviceFit& deviceFit)
{
    if (std::filesystem::is_regular_file(name))
        return experiments::runInFile(name, deviceFit);
    requireNamedFile(name, "a workspace, a result file or a recording");
    store::Workspace workspace = experiments::openForReading(place.workspace);
    for (const TrialChoice& choice : chooseTrial(workspace, {name, place.experiment, where}))
        if (experiments::ComparedRun found =
                experiments::runOfTrial(place.workspace, choice.experiment, choice.trial.trialId, deviceFit);
            !found.results.empty())
            return found;
    throw UsageError("the trial " + name + " has no result", where, "a trial that was run");
}

void addAlignOption(CLI::App& command, std::string& align)
{
    command
        .add_option("--align", align,
            "how traces are laid over each other: phase, step, start or share (default the first that is possible)")
        ->type_name("WAY")
        ->check(notEmpty);
}

std::optional<figures::Alignment> alignmentOf(const std::string& align)
{
    if (align.empty())
        return std::nullopt;
    if (const auto alignment = experiments::alignmentFromText(align))
        return alignment;
    throw UsageError("found \"" + align + "\"", "--align", "phase, step, start, share");
}

} // namespace headroom::cli
