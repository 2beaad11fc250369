// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/CalibratedProfile.h"
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/DeviceProfileReport.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/SignalWatcher.h"
#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/ReplacedFile.h"
#include "core/base/ShellWords.h"
#include "core/config/DeviceSpec.h"
#include "core/config/Installation.h"
#include "experiments/run/WorkerSession.h"

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

namespace headroom::cli {

namespace {

constexpr const char* kCalibrateExamples =
    R"(Takes about a minute. Nothing else should run meanwhile: whatever shares the device is measured with it.

Examples:
  headroom calibrate --device cuda:0 -o my-card.toml
  headroom devices ./my-card.toml
      each constant with its source and spread
  headroom run --model ffn-stack-tiny --split-ffn off,2 --device sim:./my-card.toml
      the profile in use: wherever sim:NAME stands, sim:FILE.toml may stand
  headroom calibrate --device cpu -o this-machine.toml
      a profile of the processor, so that its step times are predicted too

Exit codes: 0 the profile is written, 2 bad usage, 3 the device cannot be measured, 5 the file cannot be written or exists,
130 interrupted.)";

constexpr int kCalibrationInterrupted = 130;
constexpr const char* kProfileExtension = ".toml";

struct CalibrateArguments {
    std::string device;
    std::string output;
    bool force = false;
    bool quick = false;
    std::string format = "table";
};

std::string today()
{
    return fmt::format(
        "{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

// Before minutes are spent on measuring.
void requireProfilePath(const CalibrateArguments& arguments)
{
    const std::filesystem::path path(arguments.output);
    if (path.extension() != kProfileExtension || path.stem().empty())
        throw UsageError("found \"" + arguments.output + "\"", "--output", "FILE.toml");
    if (arguments.output.find(',') != std::string::npos)
        throw UsageError("found \"" + arguments.output + "\", and --device separates devices by commas", "--output",
            "a path without commas");
    if (!arguments.force && std::filesystem::exists(path))
        throw FileError("is there already", arguments.output, "another file, or --force to replace it");
}

void requireRealDevice(const std::string& device)
{
    if (!config::parseDevice(device, "--device").computes())
        throw UsageError("found " + device + ", and only a real device can be measured", "--device", "cpu, cuda:N");
}

void showCalibration(const protocol::WorkerEvent& event, std::string& measured, Console& console)
{
    if (event.kind == protocol::EventKind::Phase)
        measured = event.phase;
    if (event.kind == protocol::EventKind::Progress)
        console.status(fmt::format("measuring {} ({} of {})", measured, event.step + 1, event.total));
}

protocol::CalibrationAnswer measuredBy(
    const protocol::CalibrationRequest& request, const std::stop_token& stop, Console& console)
{
    experiments::WorkerSession session(config::workerProgram());
    std::string measured;
    const auto answer = session.calibrate(request, {.cancel = stop},
        [&](const protocol::WorkerEvent& event) { showCalibration(event, measured, console); });
    console.clearStatus();
    session.finish();
    return answer;
}

// What is written is what a later command reads.
Report profileReport(const simulator::DeviceProfile& profile, const CalibrateArguments& arguments, double seconds)
{
    Report report = deviceProfileReport(profile);
    report.document["file"] = arguments.output;
    report.document["seconds"] = seconds;
    return report;
}

int calibrate(const CalibrateArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    requireRealDevice(arguments.device);
    requireProfilePath(arguments);
    ReplacedFile file(arguments.output);
    const auto effort = arguments.quick ? protocol::CalibrationEffort::Short : protocol::CalibrationEffort::Full;
    std::stop_source stop;
    Console console;
    SignalWatcher signals([&stop] {
        std::cerr << "\nstopping; nothing is written (the signal again ends at once)" << std::endl;
        stop.request_stop();
    });
    const auto answer = measuredBy({arguments.device, effort}, stop.get_token(), console);
    if (stop.stop_requested())
        return kCalibrationInterrupted;
    if (!answer.result)
        throw TrialError(answer.reason);
    const std::filesystem::path path(arguments.output);
    const std::string text =
        calibratedProfile(*answer.result, {path.stem().string(), today(), arguments.device, effort});
    const simulator::DeviceProfile profile = simulator::DeviceProfile::parse(text, path);
    file.write(text);
    file.commit();
    print(profileReport(profile, arguments, answer.result->seconds), format, std::cout);
    console.line(
        fmt::format("{} measured in {} and written to {}: {}", arguments.device, durationText(answer.result->seconds),
            arguments.output, experiments::shellCommand({"--device", "sim:" + arguments.output})));
    return 0;
}

} // namespace

void addCalibrateCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command =
        app.add_subcommand("calibrate", "Measure a device and write a profile with which it can be simulated");
    const auto arguments = std::make_shared<CalibrateArguments>();
    command->add_option("--device", arguments->device, "what is measured: cpu or cuda:N")
        ->type_name("D")
        ->check(notEmpty)
        ->required();
    command->add_option("-o,--output", arguments->output, "the profile to write")
        ->type_name("FILE.toml")
        ->check(notEmpty)
        ->required();
    command->add_flag("--force", arguments->force, "replace an existing file");
    command->add_flag("--quick", arguments->quick, "small sizes only, in seconds: to try it out, not to predict with");
    addFormatOption(*command, arguments->format);
    command->footer(kCalibrateExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return calibrate(*arguments); }; });
}

} // namespace headroom::cli
