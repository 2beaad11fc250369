// SPDX-License-Identifier: Apache-2.0
//
// What a trace costs: the same trial without a spool and with each kind of capture, a fresh worker each, round by
// round. Timed steps are never traced, so they show what an idle capture costs; the traced steps show what recording
// costs.
//
//   measure-capture-cost --device cuda:0 [--model M]... [--processes N] [--steps N] [--format md|jsonl]
//
// jsonl: a line for each process as it ends, and the rows (headroom.capture-cost/1) at the end. Exit code 2 for bad
// usage, 3 if a trial did not complete; the others are measured all the same.
#include "core/base/Error.h"
#include "tests/benchmarks/capture/CaptureTable.h"
#include "tests/support/Configurations.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace {

using namespace headroom;
using namespace headroom::capture_cost;

constexpr int kWarmUpSteps = 5;

// As headroom's (docs/contract.md).
constexpr int kBadUsage = 2;
constexpr int kTrialFailed = 3;
constexpr int kNotWritten = 5;

struct Options {
    std::string device;
    std::vector<std::string> models;
    int processes = 5;
    int steps = 0; // as many as suit the model
    double timeoutSeconds = 300;
    std::string format = "md";
};

// One model whose kernels take most of the time, and one whose launches do; on the processor small ones.
std::vector<std::string> modelsFor(const config::DeviceSpec& device)
{
    return {device.kind == config::DeviceKind::Cuda ? "ltx-video-2b" : "ltx-video-tiny", "ffn-stack-tiny"};
}

// At full size a clip of a second; other models have their own shapes.
config::ValueMap workloadOfModel(const std::string& model)
{
    if (model == "ltx-video-2b")
        return {{"step", "forward_backward"}, {"dtype", "bfloat16"}, {"frames", 25}, {"height", 512}, {"width", 768},
            {"text_tokens", 128}};
    config::ValueMap workload;
    workload["step"] = "forward_backward";
    return workload;
}

config::Trial trialOf(const std::string& model, const Options& options)
{
    config::Trial trial;
    trial.configuration = configurationOf(model, {}, {}, workloadOfModel(model));
    trial.device = config::parseDevice(options.device, "--device");
    trial.protocol.warmupSteps = kWarmUpSteps;
    trial.protocol.maxWarmupSteps = kWarmUpSteps; // as many in every process
    trial.protocol.steps = options.steps > 0 ? options.steps : model.ends_with("-tiny") ? 300 : 20;
    return trial;
}

// Printed at once, so that a run that is cut short leaves what it had.
void print(const protocol::Json& line)
{
    std::puts(line.dump().c_str());
    std::fflush(stdout);
}

// The kinds take turns at being first, as what comes first in a round finds another machine than what comes last.
std::vector<Capture> orderOf(int round, std::vector<Capture> captures)
{
    const auto first = round % static_cast<int>(captures.size());
    std::rotate(captures.begin(), captures.begin() + first, captures.end());
    return captures;
}

// A kind that fails costs its own figures alone. Returns how many did.
int runRound(int round, const Options& options, CaptureTable& table)
{
    int failures = 0;
    for (const std::string& model : options.models) {
        const config::Trial trial = trialOf(model, options);
        for (const Capture capture : orderOf(round, capturesOn(trial.device))) {
            try {
                const ProcessCost cost = costOfProcess(trial, capture, options.timeoutSeconds);
                if (options.format == "jsonl")
                    print(toJson(model, capture, round, cost));
                table.add(model, capture, round, cost);
            } catch (const TrialError& error) {
                std::fprintf(stderr, "measure-capture-cost: error: %s\n", error.what());
                ++failures;
            }
        }
    }
    return failures;
}

void report(const std::vector<CostRow>& rows, const Options& options)
{
    if (options.format == "md") {
        std::fputs(toMarkdown(rows).c_str(), stdout);
        return;
    }
    protocol::Json list = protocol::Json::array();
    for (const CostRow& row : rows)
        list.push_back(toJson(row));
    print({{"schema", "headroom.capture-cost/1"}, {"device", options.device}, {"rows", list}});
}

int measure(Options options)
{
    const config::DeviceSpec device = config::parseDevice(options.device, "--device");
    if (device.isSimulated())
        throw UsageError("found \"" + options.device + "\"", "--device", "cpu or cuda:N: nothing is timed on sim:NAME");
    if (options.models.empty())
        options.models = modelsFor(device);
    CaptureTable table;
    int failures = 0;
    for (int round = 0; round < options.processes; ++round)
        failures += runRound(round, options, table);
    report(table.rows(), options);
    return failures > 0 ? kTrialFailed : std::ferror(stdout) != 0 ? kNotWritten : 0;
}

void addOptions(CLI::App& program, Options& options)
{
    program.add_option("--device", options.device, "cpu or cuda:N")->required();
    program.add_option("--model", options.models, "a model of the catalogue; may be given several times");
    program.add_option("--processes", options.processes, "fresh processes of each kind")->check(CLI::Range(1, 1000));
    program.add_option("--steps", options.steps, "timed steps of a process")->check(CLI::Range(1, 100'000));
    program.add_option("--timeout", options.timeoutSeconds, "seconds that one process may take");
    program.add_option("--format", options.format)->check(CLI::IsMember({"md", "jsonl"}));
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App program("What a trace costs: timed and traced steps without a spool and with each kind of capture.");
    Options options;
    addOptions(program, options);
    try {
        program.parse(argc, argv);
        return measure(options);
    } catch (const CLI::ParseError& error) {
        return program.exit(error) == 0 ? 0 : kBadUsage;
    } catch (const UsageError& error) {
        std::fprintf(stderr, "measure-capture-cost: error: %s\n", error.what());
        return kBadUsage;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "measure-capture-cost: error: %s\n", error.what());
        return kTrialFailed;
    }
}
