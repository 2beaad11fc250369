// SPDX-License-Identifier: Apache-2.0
#include "app/cli/TraceShowCommand.h"

#include "app/cli/OptionChecks.h"
#include "app/cli/OutputFormat.h"
#include "app/cli/Report.h"
#include "app/cli/RunSession.h"
#include "app/cli/TraceSubject.h"
#include "experiments/ByteFormat.h"
#include "experiments/StoredExperiment.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace headroom::cli {
namespace {

struct Arguments {
    std::string trial;
    std::string workspace;
    std::string experiment;
    std::string format = "table";
};

Report reportOf(store::Workspace& workspace, const TraceSubject& subject)
{
    const store::TrackCounter of{subject.traced.repeat, subject.traced.mainTrack().track, trace::Counter::Allocated};
    const auto peak = report::readPeak(workspace, subject.traced, of, subject.traced.ownSteps());
    Report report;
    report.document = {{"schema", "headroom.trace/1"}, {"trial_id", subject.trial.trialId},
        {"label", subject.trial.label}, {"predicted", subject.trial.predicted}, {"peak_bytes", peak.bytes}};
    report.records.push_back(report.document);
    report.sections.push_back({subject.trial.label, "Peak: " + experiments::readable(peak.bytes), {}, ""});
    return report;
}

int show(const Arguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    store::Workspace workspace = experiments::openForReading(workspacePath(arguments.workspace));
    const TraceSubject subject = chooseTrace(workspace, arguments.trial, arguments.experiment);
    print(reportOf(workspace, subject), format, std::cout);
    return 0;
}

} // namespace

void addTraceShowCommand(CLI::App& trace, Action& chosen)
{
    CLI::App* command = trace.add_subcommand("show", "What was in memory at the peak of a trial, and whose it was");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("trial", arguments->trial, "its id, the beginning of it, or its label")
        ->type_name("TRIAL")
        ->required()
        ->check(notEmpty);
    command
        ->add_option(
            "--workspace", arguments->workspace, "where results are kept (HEADROOM_WORKSPACE, else headroom.db)")
        ->type_name("FILE")
        ->check(notEmpty);
    command->add_option("--experiment", arguments->experiment, "name (the newest of it) or number; else all of them")
        ->type_name("E")
        ->check(notEmpty);
    addFormatOption(*command, arguments->format);
    command->callback([arguments, &chosen] { chosen = [arguments] { return show(*arguments); }; });
}

} // namespace headroom::cli
