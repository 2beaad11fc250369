// SPDX-License-Identifier: Apache-2.0
//
// What EMA costs a training step on the CPU, by where the shadow lives and how it is updated. All variants run in one
// process, turn and turn about, on a small LTX-Video; device and host are the same memory there, copies across are
// copies in memory, and side streams are threads. Prints docs/measurements/ema-cpu.md.
//
//   benchmark-ema [ROUNDS] > docs/measurements/ema-cpu.md
#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/tensor/DeviceContext.h"
#include "core/training/StepRunner.h"
#include "tests/benchmarks/techniques/Rounds.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace headroom;
using Clock = std::chrono::steady_clock;

constexpr int kDefaultRounds = 30;
constexpr int kWarmUpRounds = 3;

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Adds up the time of the phase "ema".
class EmaClock final : public training::StepObserver {
public:
    void phaseBegins(const std::string& phase, std::int64_t) override
    {
        if (phase == "ema")
            m_begin = Clock::now();
    }
    void phaseEnds(const std::string& phase, std::int64_t) override
    {
        if (phase == "ema")
            seconds += secondsSince(m_begin);
    }
    double seconds = 0;

private:
    Clock::time_point m_begin;
};

struct Variant {
    std::string notation;
    config::ValueMap options;

    std::string text() const
    {
        std::string text = notation;
        for (const auto& [name, value] : options)
            text += ", " + name + " " + config::toLabel(value);
        return text;
    }
};

config::Configuration configuration(const Variant& variant)
{
    const config::ModelDescriptor model = config::findModel("ltx-video-2b", "");
    config::Configuration result = config::defaultConfiguration("ltx-video-2b", "");
    result.modelFields = model.fields.complete(
        {{"num_layers", 8}, {"num_attention_heads", 8}, {"attention_head_dim", 64}, {"caption_channels", 512}},
        "model");
    result.workload = config::makeWorkload({{"step", "train"}, {"dtype", "float32"}, {"loss", "mean"}, {"frames", 9},
                                               {"height", 192}, {"width", 256}, {"text_tokens", 32}},
        model.shapes, "workload");
    result.techniques["ema"] =
        config::makeSetting(config::findTechnique("ema", ""), variant.notation, variant.options, "techniques.ema");
    return result;
}

/// One variant with its model and its times, round by round.
class Arm {
public:
    explicit Arm(Variant variant)
        : m_variant(std::move(variant))
        , m_configuration(configuration(m_variant))
        , m_model(models::buildModel(m_configuration, at::kFloat))
        , m_techniques(m_configuration)
    {
        m_techniques.apply(*m_model);
        m_runner.emplace(*m_model, m_techniques.hooks(), m_configuration.workload,
            models::makeInputs(m_configuration, at::kFloat), m_clock);
    }

    // What a step leaves to side streams falls into the one after it: here into the first, which is not timed, if it is
    // another arm's, and into the timed one if it is this arm's own.
    void run()
    {
        m_runner->run(0);
        m_clock.seconds = 0;
        const auto begin = Clock::now();
        m_runner->run(0);
        m_steps.push_back(secondsSince(begin));
        m_updates.push_back(m_clock.seconds);
    }
    void forget()
    {
        m_steps.clear();
        m_updates.clear();
    }

    std::string text() const { return m_variant.text(); }
    const std::vector<double>& steps() const { return m_steps; }
    const std::vector<double>& updates() const { return m_updates; }
    std::int64_t parameters() const { return models::parameterCount(*m_model); }

private:
    Variant m_variant;
    config::Configuration m_configuration;
    EmaClock m_clock;
    std::shared_ptr<models::Model> m_model;
    techniques::TechniqueStack m_techniques;
    std::optional<training::StepRunner> m_runner;
    std::vector<double> m_steps;
    std::vector<double> m_updates;
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Of each round by itself: what disturbs the machine disturbs neighbours alike.
double extra(const Arm& arm, const Arm& plain)
{
    std::vector<double> differences;
    for (std::size_t round = 0; round < arm.steps().size(); ++round)
        differences.push_back(arm.steps()[round] - plain.steps()[round]);
    return median(differences);
}

std::vector<Variant> variants()
{
    std::vector<Variant> result{{"off", {}}};
    for (const char* mode : {"loop", "foreach", "foreach_no_temporary"})
        result.push_back({"device", {{"mode", mode}}});
    for (const char* mode : {"loop", "foreach_no_temporary"}) {
        result.push_back({"host", {{"mode", mode}}});
        result.push_back({"host:async", {{"mode", mode}}});
        result.push_back({"host:cpu", {{"mode", mode}}});
    }
    return result;
}

void printHead(int rounds, const Arm& plain)
{
    std::puts("# EMA on the CPU: what each placement and mode costs a training step\n");
    std::puts("A small LTX-Video in float32, trained with plain SGD, every variant in one process, turn and turn "
              "about. Host and\n"
              "device are the same memory here: a copy across is a copy in memory, and a side stream is a thread that "
              "competes\n"
              "with the computation for the processor's cores. What overlap is worth on a GPU this does not show.\n");
    std::printf("- LibTorch %s, CPU capability %s, %d thread(s), %d rounds after %d warm-up rounds, medians\n",
        tensor::torchVersion().c_str(), tensor::cpuCapability().c_str(), tensor::cpuThreads(), rounds, kWarmUpRounds);
    std::printf("- %lld parameters; step without EMA: %.1f ms\n\n", static_cast<long long>(plain.parameters()),
        1e3 * median(plain.steps()));
    std::puts("| ema | step against off | more per step (ms) | of it in the phase ema (ms) |");
    std::puts("|---|---:|---:|---:|");
}

void printRow(const Arm& arm, const Arm& plain)
{
    std::printf("| %s | %.3f | %.2f | %.2f |\n", arm.text().c_str(), median(arm.steps()) / median(plain.steps()),
        1e3 * extra(arm, plain), 1e3 * median(arm.updates()));
}

const Arm& find(const std::vector<std::unique_ptr<Arm>>& arms, const std::string& begin, const std::string& mode)
{
    return **std::ranges::find_if(arms,
        [&](const auto& arm) { return arm->text().starts_with(begin + ",") && arm->text().ends_with("mode " + mode); });
}

void printAnswers(const std::vector<std::unique_ptr<Arm>>& arms)
{
    const Arm& plain = *arms.front();
    const double loop = median(find(arms, "device", "loop").updates());
    const double inPlace = median(find(arms, "device", "foreach_no_temporary").updates());
    std::printf("\n- An update without temporary takes %.2f of the loop's time.\n", inPlace / loop);
    for (const char* mode : {"loop", "foreach_no_temporary"}) {
        const double whole = extra(find(arms, "host", mode), plain),
                     sliced = extra(find(arms, "host:async", mode), plain);
        std::printf(
            "- `host:async`, %s: hides %.0f %% of what `host` adds to the step.\n", mode, 100 * (1 - sliced / whole));
    }
}

} // namespace

int main(int argc, char** argv)
{
    const int rounds = argc > 1 ? std::atoi(argv[1]) : kDefaultRounds;
    std::vector<std::unique_ptr<Arm>> arms;
    for (const Variant& variant : variants())
        arms.push_back(std::make_unique<Arm>(variant));
    runRounds(arms, rounds, kWarmUpRounds);
    printHead(rounds, *arms.front());
    for (const auto& arm : arms)
        printRow(*arm, *arms.front());
    printAnswers(arms);
    std::puts("\nRegenerate with the build tree's `bin/benchmark-ema > docs/measurements/ema-cpu.md`.");
    return std::ferror(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
