// SPDX-License-Identifier: Apache-2.0
//
// What it costs to trace a training step on the CPU: steps without a trace, with owners alone, and with the trace
// written to a spool, turn and turn about in one process. Prints docs/measurements/attribution.md.
//
//   benchmark-attribution [ROUNDS] > docs/measurements/attribution.md
#include "app/worker/SpoolSink.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/tensor/DeviceContext.h"
#include "profiling/collectors/CpuInstruments.h"
#include "profiling/measurement/TracePass.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace {

using namespace headroom;
using Clock = std::chrono::steady_clock;

constexpr int kDefaultRounds = 60;
constexpr int kWarmupRounds = 5;

enum class Arm { Plain, Owners, Spool };
constexpr std::array kArms{Arm::Plain, Arm::Owners, Arm::Spool};

struct Example {
    const char* title;
    const char* model;
    config::ValueMap fields;
    config::ValueMap workload;
};

std::vector<Example> examples()
{
    return {{"LTX-Video, 8 blocks 256 wide, 640 tokens", "ltx-video-2b",
                {{"num_layers", 8}, {"num_attention_heads", 8}, {"attention_head_dim", 32}, {"caption_channels", 256}},
                {{"step", "train"}, {"dtype", "float32"}, {"frames", 33}, {"height", 256}, {"width", 512},
                    {"text_tokens", 64}}},
        {"feed-forward stack, 8 layers 256 wide, 1024 tokens", "ffn-stack",
            {{"num_layers", 8}, {"dim", 256}, {"mult", 4}},
            {{"step", "train"}, {"dtype", "float32"}, {"batch", 1}, {"sequence_length", 1024}}}};
}

config::Configuration configurationOf(const Example& example)
{
    const config::ModelDescriptor model = config::findModel(example.model, "");
    config::Configuration result = config::defaultConfiguration(example.model, "");
    result.modelFields = model.fields.complete(example.fields, "model");
    result.workload = config::makeWorkload(example.workload, model.shapes, "workload");
    return result;
}

class Program {
public:
    explicit Program(const Example& example)
        : m_configuration(configurationOf(example))
        , m_instruments(std::nullopt)
        , m_ledger(m_instruments)
        , m_model(models::buildModel(m_configuration, at::kFloat))
        , m_runner(*m_model, {}, m_configuration.workload, models::makeInputs(m_configuration, at::kFloat), m_ledger)
    {
    }

    double step(Arm arm)
    {
        if (arm == Arm::Plain)
            return timed([] { });
        const auto path = std::filesystem::temp_directory_path() / "headroom-attribution.spool";
        std::filesystem::remove(path);
        double seconds = 0;
        {
            std::optional<worker::SpoolSink> sink;
            if (arm == Arm::Spool)
                sink.emplace(path);
            collectors::TracePass pass(m_instruments, m_ledger, sink ? &*sink : nullptr);
            pass.addModel(*m_model);
            pass.beginSpan();
            seconds = timed([&] { pass.stepEnded(); });
        }
        std::filesystem::remove(path);
        return seconds;
    }

private:
    template <typename After> double timed(After after)
    {
        const auto begin = Clock::now();
        m_runner.run(0);
        after();
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }

    config::Configuration m_configuration;
    collectors::CpuInstruments m_instruments;
    collectors::PhaseLedger m_ledger;
    std::shared_ptr<models::Model> m_model;
    training::StepRunner m_runner;
};

using Seconds = std::array<std::vector<double>, kArms.size()>;

double quantile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// Each round has every arm once, in an order that turns.
Seconds measure(const Example& example, int rounds)
{
    Program program(example);
    Seconds seconds;
    for (int round = -kWarmupRounds; round < rounds; ++round)
        for (std::size_t turn = 0; turn < kArms.size(); ++turn) {
            const std::size_t arm = (turn + static_cast<std::size_t>(round + kWarmupRounds)) % kArms.size();
            const double duration = program.step(kArms[arm]);
            if (round >= 0)
                seconds[arm].push_back(duration);
        }
    return seconds;
}

// Of each round by itself: what disturbs the machine disturbs neighbours alike.
std::vector<double> overheads(const Seconds& seconds, Arm arm)
{
    const auto& plain = seconds[static_cast<std::size_t>(Arm::Plain)];
    const auto& other = seconds[static_cast<std::size_t>(arm)];
    std::vector<double> result;
    for (std::size_t round = 0; round < plain.size(); ++round)
        result.push_back(100 * (other[round] / plain[round] - 1));
    return result;
}

void printRow(const Example& example, const Seconds& seconds)
{
    const auto cell = [&](Arm arm) {
        const std::vector<double> percent = overheads(seconds, arm);
        std::printf(
            " %+.1f %% (%+.1f to %+.1f) |", quantile(percent, 0.5), quantile(percent, 0.25), quantile(percent, 0.75));
    };
    std::printf("| %s | %.1f |", example.title, 1e3 * quantile(seconds[0], 0.5));
    cell(Arm::Owners);
    cell(Arm::Spool);
    std::puts("");
}

} // namespace

int main(int count, char** arguments)
{
    const int rounds = count > 1 ? std::atoi(arguments[1]) : kDefaultRounds;
    at::set_num_threads(1);
    std::puts("# What it costs to know whose the memory is\n");
    std::puts(
        "A training step on the CPU in float32, without a trace, with the owner of every allocation and the breakdown "
        "of the peak, and\nwith the trace written to a spool as well. All in one process, turn and turn about; the "
        "overhead is that of each round against\nits own plain step: median, and the quartiles in brackets.\n");
    std::printf("- LibTorch %s, CPU capability %s, 1 thread, %d rounds after %d warm-up rounds\n",
        tensor::torchVersion().c_str(), tensor::cpuCapability().c_str(), rounds, kWarmupRounds);
    std::puts("- `benchmark-attribution > docs/measurements/attribution.md`\n");
    std::puts(
        "| model | plain step, ms | owners and breakdown | and the trace in a spool |\n| --- | --- | --- | --- |");
    for (const Example& example : examples())
        printRow(example, measure(example, rounds));
    return 0;
}
