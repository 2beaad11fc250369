// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/RunSession.h"

#include "app/cli/output/Report.h"
#include "app/cli/output/SignalWatcher.h"
#include "app/cli/output/SizeArgument.h"
#include "app/cli/output/StandardOutput.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/run/ObserverGroup.h"
#include "app/cli/run/ProgressReporter.h"
#include "app/cli/run/ResultsReport.h"
#include "app/cli/run/RunOutputs.h"
#include "app/cli/run/RunPlan.h"
#include "app/cli/run/RunVerdict.h"
#include "core/base/Error.h"
#include "core/base/ShellWords.h"
#include "core/config/Installation.h"
#include "experiments/results/TrialRecordJson.h"
#include "experiments/run/ExperimentRunner.h"
#include "experiments/run/RunObserver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

namespace headroom::cli {

using namespace experiments;

namespace {

/// `--format jsonl`: prints each trial's record on its own line as soon as it is available, then the summary.
class JsonLinesPrinter : public RunObserver {
public:
    /// `out` must outlive the printer.
    explicit JsonLinesPrinter(std::ostream& out)
        : m_out(out)
    {
    }

    void trialFinished(const PlannedTrial& trial, const TrialResult& result) override;
    void runFinished(const RunSummary& summary) override;

private:
    std::ostream& m_out;
};

void JsonLinesPrinter::trialFinished(const PlannedTrial&, const TrialResult& result)
{
    m_out << jsonLine(toJson(result)) << std::endl;
}

void JsonLinesPrinter::runFinished(const RunSummary& summary)
{
    m_out << jsonLine(toJson(summary)) << std::endl;
}

std::optional<std::chrono::duration<double>> timeoutOf(const RunArguments& arguments)
{
    if (!arguments.timeoutSeconds)
        return std::nullopt;
    if (!(*arguments.timeoutSeconds > 0) || !std::isfinite(*arguments.timeoutSeconds))
        throw UsageError("found " + config::toToml(*arguments.timeoutSeconds), "--timeout", "seconds greater than 0");
    return std::chrono::duration<double>(*arguments.timeoutSeconds);
}

std::optional<Bytes> traceLimitOf(const RunArguments& arguments)
{
    if (arguments.traceLimit.empty())
        return std::nullopt;
    if (!arguments.trace && arguments.traceFilter.empty())
        throw UsageError("found no --trace beside it", "--trace-limit", "--trace, or --trace-filter EXPR, too");
    return bytesFromText(arguments.traceLimit, "--trace-limit");
}

// 0: as many as there are cores.
std::size_t jobsOf(const RunArguments& arguments)
{
    if (arguments.jobs && *arguments.jobs < 1)
        throw UsageError("found " + std::to_string(*arguments.jobs), "--jobs", "at least 1");
    return static_cast<std::size_t>(arguments.jobs.value_or(0));
}

RunOptions optionsOf(const RunArguments& arguments, const RunPlan& plan, std::stop_token stop)
{
    RunOptions options;
    options.worker = config::workerProgram();
    options.resources = config::resourceDirectory();
    options.timeout = timeoutOf(arguments);
    options.jobs = jobsOf(arguments);
    options.onFailure = arguments.failFast ? FailurePolicy::FailFast : FailurePolicy::KeepGoing;
    options.mode = arguments.resume ? RunMode::Resume : RunMode::New;
    options.commandLine = typedCommandLine();
    options.tracing = plan.traced.empty() ? Tracing::Off : Tracing::Chosen;
    options.tracedTrials = plan.traced;
    options.traceLimit = traceLimitOf(arguments);
    if (arguments.traceKernels)
        options.traceDepth = protocol::TraceDepth::Kernels;
    options.stop = std::move(stop);
    return options;
}

FinishedRun finishedRun(
    const RunArguments& arguments, const RunPlan& plan, ResultsDocument results, const RunSummary& summary)
{
    return {.results = std::move(results),
        .summary = summary,
        .shard = plan.shard ? plan.shard->text() : "",
        .workspace = workspacePath(arguments.workspace),
        .junit = arguments.junit,
        .task = plan.task};
}

// Writes the files first, because the reader of standard output may close it early.
void reportRun(const FinishedRun& run, OutputFormat format, RunOutputs& outputs, Console& console)
{
    const std::optional<FileError> problem = outputs.write(run, console);
    if (format != OutputFormat::JsonLines)
        print(resultsReport(run.results, run.task), format, std::cout);
    if (!std::cout.flush() && isReaderGone(STDOUT_FILENO))
        console.line("note: standard output was closed before its end; the results are in " + run.workspace);
    printBudgets(run.summary, console);
    if (problem)
        throw FileError(*problem);
}

// Saves the results to the rescue file and says where they are.
std::string rescued(const UnsavedRun& run, const std::string& workspace)
{
    const std::filesystem::path file = rescueFileFor(workspace);
    try {
        saveRun(run, file);
        return fmt::format("what this run had finished ({} repeats) is safe in {}", run.repeats.size(), file.string());
    } catch (const FileError& error) {
        return fmt::format("what this run had finished could not be saved elsewhere either: {}", error.what());
    }
}

// Finished repeats took time to compute: if the workspace cannot store them, they are saved beside it.
ResultsDocument runOrRescue(ExperimentRunner& runner, const RunPlan& plan, const std::string& workspace)
{
    try {
        return runner.run(plan.spec, plan.trials, workspace);
    } catch (const FileError& error) {
        if (!runner.unsaved() || runner.unsaved()->repeats.empty())
            throw;
        throw FileError(error.problem() + "; " + rescued(*runner.unsaved(), workspace), error.where(), error.valid());
    }
}

int carryOutRun(const RunArguments& arguments, OutputFormat format, const RunPlan& plan)
{
    std::stop_source stop;
    Console console;
    SignalWatcher signals([&stop] {
        std::cerr << "\nstopping; finished trials are kept (the signal again ends at once)" << std::endl;
        stop.request_stop();
    });
    ObserverGroup observers;
    ProgressReporter progress(console);
    observers.add(progress);
    JsonLinesPrinter lines(std::cout);
    if (format == OutputFormat::JsonLines)
        observers.add(lines);
    const RunOptions options = optionsOf(arguments, plan, stop.get_token());
    RunOutputs outputs(arguments, observers, stop.get_token());

    ExperimentRunner runner(options, observers);
    ResultsDocument results = runOrRescue(runner, plan, workspacePath(arguments.workspace));
    reportRun(finishedRun(arguments, plan, std::move(results), runner.summary()), format, outputs, console);
    return runner.summary().exitCode();
}

} // namespace

std::string typedCommandLine()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> words;
    for (std::string word; std::getline(file, word, '\0');)
        words.push_back(word);
    return shellCommand(words);
}

int run(const RunArguments& arguments)
{
    if (arguments.traceKernels && !arguments.trace && arguments.traceFilter.empty())
        throw UsageError("found no --trace beside it", "--trace-kernels", "--trace, or --trace-filter EXPR, too");
    const OutputFormat format = outputFormatFromText(arguments.format);
    timeoutOf(arguments);
    jobsOf(arguments);
    traceLimitOf(arguments);
    if (arguments.failFast && arguments.keepGoing)
        throw UsageError("found --keep-going too", "--fail-fast", "one of the two");
    const RunPlan plan = planOf(arguments);
    requireDistinctOutputs(arguments, plan);
    if (!arguments.dryRun)
        return carryOutRun(arguments, format, plan);
    print(planReport(plan), format, std::cout);
    return 0;
}

} // namespace headroom::cli
