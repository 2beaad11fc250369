// SPDX-License-Identifier: Apache-2.0
//
// What checkpointing costs on the CPU beside the recomputed forward itself. All policies run in one process, turn and
// turn about, on the model of the preset ltx-checkpointing-small; the cost of a forward pass of the blocks is timed
// inside the plain steps of the same run. Prints docs/measurements/checkpointing-cpu.md.
//
//   benchmark-checkpointing [ROUNDS] > docs/measurements/checkpointing-cpu.md
#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/tensor/DeviceContext.h"
#include "core/training/StepRunner.h"
#include "tests/benchmarks/techniques/Rounds.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace {

using namespace headroom;
using Clock = std::chrono::steady_clock;

constexpr int kDefaultRounds = 40;

class SilentObserver final : public training::StepObserver {
public:
    void phaseBegins(const std::string&, std::int64_t) override { }
    void phaseEnds(const std::string&, std::int64_t) override { }
};

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Adds up the time of the blocks' forward pass.
class TimedBlocks final : public models::BlockExecution {
public:
    explicit TimedBlocks(double& seconds)
        : m_seconds(seconds)
    {
    }

    std::vector<at::Tensor> run(
        std::int64_t, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs) override
    {
        const auto begin = Clock::now();
        auto outputs = forward(inputs);
        m_seconds += secondsSince(begin);
        return outputs;
    }

private:
    double& m_seconds;
};

config::Configuration configuration(const std::string& policy)
{
    const config::ModelDescriptor model = config::findModel("ltx-video-2b", "");
    config::Configuration result = config::defaultConfiguration("ltx-video-2b", "");
    result.modelFields = model.fields.complete(
        {{"num_layers", 8}, {"num_attention_heads", 4}, {"attention_head_dim", 32}, {"caption_channels", 128}},
        "model");
    result.workload = config::makeWorkload(
        {{"step", "forward_backward"}, {"dtype", "float32"}, {"loss", "mean"}, {"gradients", "keep"}, {"frames", 33},
            {"height", 256}, {"width", 512}, {"text_tokens", 32}},
        model.shapes, "workload");
    result.techniques["checkpointing"] =
        config::makeSetting(config::findTechnique("checkpointing", ""), policy, {}, "techniques.checkpointing");
    return result;
}

/// One policy with its model and its times, round by round.
class Arm {
public:
    explicit Arm(const std::string& policy)
        : m_policy(policy)
        , m_configuration(configuration(policy))
        , m_model(models::buildModel(m_configuration, at::kFloat))
        , m_techniques(m_configuration)
    {
        if (policy == "none")
            m_model->setBlockExecution(std::make_unique<TimedBlocks>(m_blockSeconds));
        else
            m_techniques.apply(*m_model);
        m_runner.emplace(*m_model, m_techniques.hooks(), m_configuration.workload,
            models::makeInputs(m_configuration, at::kFloat), m_observer);
    }

    void run()
    {
        m_blockSeconds = 0;
        const auto begin = Clock::now();
        m_runner->run(0);
        m_steps.push_back(secondsSince(begin));
        m_blocks.push_back(m_blockSeconds);
    }

    void forget()
    {
        m_steps.clear();
        m_blocks.clear();
    }

    const std::string& policy() const { return m_policy; }
    const std::vector<double>& steps() const { return m_steps; }
    const std::vector<double>& blocks() const { return m_blocks; }
    std::int64_t recomputed() const { return m_techniques.counters().at("checkpointing").at("blocks_recomputed"); }

private:
    std::string m_policy;
    config::Configuration m_configuration;
    SilentObserver m_observer;
    std::shared_ptr<models::Model> m_model;
    techniques::TechniqueStack m_techniques;
    std::optional<training::StepRunner> m_runner;
    double m_blockSeconds = 0;
    std::vector<double> m_steps;
    std::vector<double> m_blocks;
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Of each round by itself: what disturbs the machine disturbs neighbours alike.
std::vector<double> overheads(const Arm& plain, const Arm& arm)
{
    std::vector<double> result;
    for (std::size_t round = 0; round < arm.steps().size(); ++round) {
        const double share = static_cast<double>(arm.recomputed()) / 8.0;
        result.push_back((arm.steps()[round] - plain.steps()[round]) / (share * plain.blocks()[round]) - 1);
    }
    return result;
}

void printHead(int rounds, const Arm& plain)
{
    std::puts("# Checkpointing on the CPU: what it costs beside the recomputed forward\n");
    std::puts(
        "The model of the preset `ltx-checkpointing-small` in float32, forward and backward, every policy in one "
        "process, turn and\nturn about. The forward pass of the blocks is timed inside the plain steps; a policy "
        "that recomputes k of 8 blocks has to\ncost k / 8 of it, and what it costs beyond is overhead. With `ops` a "
        "block's expensive results are kept, so that less than its\nforward runs again: its row has the step "
        "alone.\n");
    std::printf("- LibTorch %s, CPU capability %s, %d thread(s), %d rounds after 5 warm-up rounds, medians\n",
        tensor::torchVersion().c_str(), at::get_cpu_capability().c_str(), at::get_num_threads(), rounds);
    std::printf("- forward pass of the blocks: %.1f ms of a plain step of %.1f ms\n\n", 1e3 * median(plain.blocks()),
        1e3 * median(plain.steps()));
    std::puts(
        "| checkpointing | step (ms) | against none | recomputed blocks | overhead beside the recomputed forward |");
    std::puts("|---|---:|---:|---:|---:|");
}

void printRow(const Arm& plain, const Arm& arm)
{
    const double step = median(arm.steps());
    std::printf("| %s | %.1f | %.3f | %lld | ", arm.policy().c_str(), 1e3 * step, step / median(plain.steps()),
        static_cast<long long>(arm.recomputed()));
    if (arm.recomputed() == 0 || arm.policy().starts_with("ops"))
        std::puts("- |");
    else
        std::printf("%+.1f %% |\n", 100 * median(overheads(plain, arm)));
}

} // namespace

int main(int argc, char** argv)
{
    const int rounds = argc > 1 ? std::atoi(argv[1]) : kDefaultRounds;
    std::vector<std::unique_ptr<Arm>> arms;
    for (const char* policy : {"none", "all", "every:2", "every:4", "ops", "ops:mm/2", "all+offload", "ops+offload"})
        arms.push_back(std::make_unique<Arm>(policy));
    runRounds(arms, rounds, 5);
    printHead(rounds, *arms.front());
    for (const auto& arm : arms)
        printRow(*arms.front(), *arm);
    std::puts(
        "\nRegenerate with the build tree's `bin/benchmark-checkpointing > docs/measurements/checkpointing-cpu.md`.");
    return std::ferror(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
