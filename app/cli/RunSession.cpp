// SPDX-License-Identifier: Apache-2.0
#include "app/cli/RunSession.h"

#include "app/cli/JsonLinesPrinter.h"
#include "app/cli/ObserverGroup.h"
#include "app/cli/PlanReport.h"
#include "app/cli/ProgressReporter.h"
#include "app/cli/ResultsReport.h"
#include "app/cli/SignalWatcher.h"
#include "app/cli/TrialFilter.h"
#include "core/config/Error.h"
#include "core/config/Installation.h"
#include "experiments/EventLog.h"
#include "experiments/ExperimentRunner.h"
#include "experiments/PresetCatalogue.h"
#include "experiments/ShellWords.h"
#include "experiments/SpecLoader.h"
#include "profiling/simulator/ProfileCatalogue.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

namespace headroom::cli {

using namespace experiments;

namespace {

SpecOverrides overridesOf(const RunArguments& arguments)
{
    SpecOverrides overrides;
    if (!arguments.models.empty())
        overrides.setModels(config::joined(arguments.models));
    if (!arguments.devices.empty())
        overrides.setDevices(config::joined(arguments.devices));
    for (const auto& [key, notations] : arguments.techniques)
        if (!notations.empty())
            overrides.setTechnique(key, config::joined(notations));
    for (const std::string& assignment : arguments.assignments)
        overrides.assign(assignment);
    if (arguments.quick)
        overrides.useQuickProtocol();
    return overrides;
}

ExperimentSpec specOf(const RunArguments& arguments)
{
    const SpecOverrides overrides = overridesOf(arguments);
    if (arguments.source.empty())
        return loadOverrides(overrides);
    if (isSpecFile(arguments.source))
        return loadSpecFile(arguments.source, overrides);
    return loadPreset(arguments.source, config::resourceDirectory(), overrides);
}

// A profile that does not exist is found before anything is run, listed or written.
void requireKnownDevices(const std::vector<PlannedTrial>& trials)
{
    const auto isSimulated = [](const PlannedTrial& planned) { return planned.trial.device.isSimulated(); };
    if (std::none_of(trials.begin(), trials.end(), isSimulated))
        return;
    const simulator::ProfileCatalogue profiles(config::resourceDirectory());
    for (const PlannedTrial& planned : trials)
        if (isSimulated(planned))
            profiles.parseSimulatedDevice(planned.trial.device.notation(), "device.name");
}

std::optional<std::chrono::duration<double>> timeoutOf(const RunArguments& arguments)
{
    if (!arguments.timeoutSeconds)
        return std::nullopt;
    if (!(*arguments.timeoutSeconds > 0) || !std::isfinite(*arguments.timeoutSeconds))
        throw UsageError("found " + config::toToml(*arguments.timeoutSeconds), "--timeout", "seconds greater than 0");
    return std::chrono::duration<double>(*arguments.timeoutSeconds);
}

// How this process was started, as it can be typed again.
std::string commandLine()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> words;
    for (std::string word; std::getline(file, word, '\0');)
        words.push_back(word);
    return shellCommand(words);
}

RunOptions optionsOf(const RunArguments& arguments, std::stop_token stop)
{
    RunOptions options;
    options.worker = config::workerProgram();
    options.resources = config::resourceDirectory();
    options.timeout = timeoutOf(arguments);
    options.onFailure = arguments.failFast ? FailurePolicy::FailFast : FailurePolicy::KeepGoing;
    options.mode = arguments.resume ? RunMode::Resume : RunMode::New;
    options.commandLine = commandLine();
    options.tracing = arguments.trace ? Tracing::On : Tracing::Off;
    options.stop = std::move(stop);
    return options;
}

// The event stream's file, and the observer that writes it.
class EventFile {
public:
    explicit EventFile(const std::string& path)
        : m_path(path)
        , m_stream(path, std::ios::trunc)
        , m_log(m_stream)
    {
        if (!m_stream)
            throw FileError("event file cannot be written", path, "a file in a folder that exists and may be written");
    }

    RunObserver& observer() { return m_log; }

    void close()
    {
        m_stream.close();
        if (!m_stream)
            throw FileError("event file could not be written to its end", m_path, "a disk with free space");
    }

private:
    std::string m_path;
    std::ofstream m_stream;
    EventLog m_log;
};

int carryOut(const RunArguments& arguments, OutputFormat format, const ExperimentSpec& spec,
    const std::vector<PlannedTrial>& trials)
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
    const RunOptions options = optionsOf(arguments, stop.get_token());
    std::optional<EventFile> events;
    if (!arguments.events.empty())
        observers.add(events.emplace(arguments.events).observer());

    ExperimentRunner runner(options, observers);
    const ResultsDocument results = runner.run(spec, trials, workspacePath(arguments.workspace));
    if (format != OutputFormat::JsonLines)
        print(resultsReport(results), format, std::cout);
    if (events)
        events->close();
    return runner.summary().exitCode();
}

} // namespace

int run(const RunArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    timeoutOf(arguments);
    const ExperimentSpec spec = specOf(arguments);
    const std::vector<PlannedTrial> trials = TrialFilter(arguments.filter).kept(expand(spec));
    requireKnownDevices(trials);
    if (!arguments.dryRun)
        return carryOut(arguments, format, spec, trials);
    print(planReport(spec.name, trials), format, std::cout);
    return 0;
}

std::string workspacePath(const std::string& given)
{
    if (!given.empty())
        return given;
    const char* variable = std::getenv("HEADROOM_WORKSPACE");
    return variable != nullptr && *variable != '\0' ? variable : "headroom.db";
}

} // namespace headroom::cli
