// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/SizeArgument.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/trace/NamedFile.h"
#include "app/cli/trace/ReplayReport.h"
#include "app/cli/trace/TraceCommand.h"
#include "app/cli/trace/TraceSubject.h"
#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/config/Installation.h"
#include "experiments/archive/StoredExperiment.h"
#include "experiments/recordings/StoredRecording.h"
#include "experiments/sweep/AllocatorSetting.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/simulator/devices/Fit.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::WhatIfQuestion;
using recordings::Recording;

namespace {

constexpr const char* kTraceReplayExamples =
    R"(The requests of a recording, or of any traced trial, are served again by the simulated caching allocator, in the same
order: as they were, under other settings, with other memory, or without the calls of empty_cache().

Examples:
  headroom trace replay snapshot.pickle
      as recorded: reproduces what was reserved, and says the smallest card
  headroom trace replay snapshot.pickle --suggest
      tries the sensible settings and prints the line to export
  headroom trace replay snapshot.pickle --allocator expandable_segments:True --device sim:rtx4090
  headroom trace replay snapshot.pickle --compare expandable_segments:True,max_split_size_mb:128 --memory 23.4GiB
  headroom trace replay "cuda:0 | snapshot" --without-empty-cache --workspace runs.db
      a trial of a workspace

--allocator may be given several times; a setting of several parts has commas in it. --compare takes one part for each
setting, and compares them with the recorded one.
Exit codes: 0 replayed (out of memory is an answer), 2 bad usage, 5 a file cannot be read.)";

struct TraceReplayArguments {
    std::string subject;
    std::vector<std::string> allocators;
    std::string compare;
    std::string device;
    std::string memory;
    std::string addresses = "recorded";
    std::string workspace;
    std::string experiment;
    std::string format = "table";
    bool withoutEmptyCache = false;
    bool suggests = false;
};

Recording recordingOf(const TraceReplayArguments& arguments)
{
    if (std::filesystem::is_regular_file(arguments.subject)) {
        Console console;
        Recording recording = recordings::readRecording(arguments.subject, [&](double share) {
            console.status(fmt::format("reading {}: {}", arguments.subject, progressText(share)));
        });
        console.clearStatus();
        return recording;
    }
    requireNamedFile(arguments.subject, "a recording, or the id or label of a traced trial");
    store::Workspace workspace = experiments::openForReading(workspacePath(arguments.workspace));
    const TraceSubject subject = chooseTrace(workspace, {arguments.subject, arguments.experiment, "TRIAL|FILE"});
    return experiments::storedRecording(workspace, subject.trial, subject.repeat.id, config::resourceDirectory());
}

// One setting each; a list in brackets stays whole.
std::vector<std::string> comparedSettings(const std::string& text)
{
    std::vector<std::string> settings(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == ',' && depth == 0)
            settings.emplace_back();
        else
            settings.back() += c;
    }
    return settings;
}

void addSetting(std::vector<std::string>& settings, const std::string& given)
{
    const std::string text = experiments::allocatorText(given);
    if (std::ranges::find(settings, text) == settings.end())
        settings.push_back(text);
}

// What is asked for alone is answered alone; what is compared stands beside the recorded settings.
std::vector<std::string> settingsFor(const TraceReplayArguments& arguments, const Recording& recording)
{
    std::vector<std::string> settings;
    if (arguments.allocators.empty() || !arguments.compare.empty() || arguments.suggests)
        settings.push_back(experiments::recordedSettings(recording));
    for (const std::string& allocator : arguments.allocators)
        addSetting(settings, allocator);
    if (!arguments.compare.empty())
        for (const std::string& setting : comparedSettings(arguments.compare))
            addSetting(settings, setting);
    return settings;
}

std::optional<Bytes> capacityFor(const TraceReplayArguments& arguments, const simulator::ProfileCatalogue& cards)
{
    if (!arguments.memory.empty() && !arguments.device.empty())
        throw UsageError("a card and a size of memory", "--memory", "one of --device and --memory");
    if (!arguments.memory.empty())
        return bytesFromText(arguments.memory, "--memory");
    if (arguments.device.empty())
        return std::nullopt;
    const simulator::DeviceProfile device = cards.parseSimulatedDevice(arguments.device, "--device").device;
    if (device.kind == simulator::AllocatorKind::Exact)
        throw UsageError("the allocator of " + arguments.device + " has no segments", "--device", "a simulated GPU");
    return simulator::capacityOf(device).limitBytes;
}

recordings::ReplayAddresses addressesFrom(const std::string& text)
{
    if (text == "recorded")
        return recordings::ReplayAddresses::Recorded;
    if (text == "platform")
        return recordings::ReplayAddresses::Platform;
    throw UsageError("found \"" + text + "\"", "--addresses", "recorded, platform");
}

int replayTrace(const TraceReplayArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    const simulator::ProfileCatalogue cards(config::resourceDirectory());
    WhatIfQuestion question;
    question.addresses = addressesFrom(arguments.addresses);
    question.capacityBytes = capacityFor(arguments, cards);
    question.emptiesCache = !arguments.withoutEmptyCache;
    question.suggests = arguments.suggests;
    const Recording recording = recordingOf(arguments);
    question.allocators = settingsFor(arguments, recording);
    print(replayReport(experiments::askWhatIf(recording, question, cards), recording, arguments.subject), format,
        std::cout);
    return 0;
}

void addTraceReplayOptions(CLI::App& command, TraceReplayArguments& arguments)
{
    command.add_option("recording", arguments.subject, "a recording, or the id or label of a traced trial")
        ->type_name("TRIAL|FILE")
        ->required()
        ->check(notEmpty);
    command.add_option("--allocator", arguments.allocators, "settings as in PYTORCH_ALLOC_CONF, or default")
        ->type_name("CONF")
        ->expected(1)
        ->take_all()
        ->check(notEmpty);
    command.add_option("--compare", arguments.compare, "settings beside the recorded ones, each of one part")
        ->type_name("CONF,...")
        ->check(notEmpty);
    command.add_option("--device", arguments.device, "with the memory of a card")
        ->type_name("sim:NAME")
        ->check(notEmpty);
    command.add_option("--memory", arguments.memory, "with so much memory for segments")
        ->type_name("SIZE")
        ->check(notEmpty);
    command.add_option("--addresses", arguments.addresses, "of segments: recorded (default), platform")
        ->type_name("A")
        ->check(notEmpty);
    command.add_flag("--without-empty-cache", arguments.withoutEmptyCache, "leave out the calls of empty_cache()");
    command.add_flag("--suggest", arguments.suggests, "try the sensible settings and name the one that helps most");
    command.add_option("--workspace", arguments.workspace, "of the trial (default headroom.db)")
        ->type_name("FILE")
        ->check(notEmpty);
    addExperimentOption(command, arguments.experiment);
    addFormatOption(command, arguments.format);
}

} // namespace

void addTraceReplayCommand(CLI::App& trace, Action& chosen)
{
    CLI::App* command =
        trace.add_subcommand("replay", "Ask what other allocator settings or another card would have done");
    const auto arguments = std::make_shared<TraceReplayArguments>();
    addTraceReplayOptions(*command, *arguments);
    command->footer(kTraceReplayExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return replayTrace(*arguments); }; });
}

} // namespace headroom::cli
